/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The record of any tracepoint: an instant event of the current thread, with the fields as arguments.
 *
 * The includer defines
 *
 *   fxt_tp_raw				handle of the raw record of the tracepoint
 *   FXT_TP_READ(raw, offset, to, bytes)	copies bytes of the record; returns 0 or an error
 *   FXT_TP_READ_STR(raw, offset, to, room)	copies a string with its terminator; returns
 *					the bytes with the terminator, or less than 1
 */
#ifndef FXT_TRACEPOINT_RECORD_H
#define FXT_TRACEPOINT_RECORD_H

#include "../uapi/fxtrec.h"
#include "linux.h"
#include "text.h"

/* Bytes of a string with its terminator; longer strings are cut. */
#define FXT_TP_STRING_ROOM	128u

#define FXT_TP_HEAD_WORDS	4u
#define FXT_TP_WORDS_MAX	(FXT_TP_HEAD_WORDS + FXTREC_FIELDS_MAX * (1 + FXT_TP_STRING_ROOM / 8))

/*
 * Size of a record in words: a power of two, so that a mask bounds an index.  A string
 * written at the last index still fits.
 */
#define FXT_TP_ROOM_WORDS	512u
struct fxt_tp_record {
	__u64 word[FXT_TP_ROOM_WORDS + FXT_TP_STRING_ROOM / 8];
};
_Static_assert(FXT_TP_WORDS_MAX <= FXT_TP_ROOM_WORDS, "room for a record");

#define FXT_TP_WORD(r, at)	((r)->word[(at) & (FXT_TP_ROOM_WORDS - 1)])

/*
 * Returns a value without kernel addresses, which must not reach a trace.  The tables omit fields that are pointers.
 * Any other 64-bit value in the kernel's half of the address space becomes 0, unless it is an error number.
 */
FXT_INLINE __u64 fxt_tp_public(__u64 value)
{
	return value >> 63 && value < (__u64)-4095 ? 0 : value;
}

/* Writes a number at word at.  Returns the next word. */
FXT_INLINE __u32 fxt_tp_number(struct fxt_tp_record *r, __u32 at, const struct fxtrec_field *f,
			       fxt_tp_raw raw)
{
	__u32 size = f->size, is_signed = f->kind == FXTREC_FIELD_INT;
	__u64 value = 0;

	if (size < 1 || size > 8 || FXT_TP_READ(raw, f->offset, &value, size))
		return at;
	if (is_signed)
		value = (__s64)(value << (64 - 8 * size)) >> (64 - 8 * size);
	if (size < 8) {
		FXT_TP_WORD(r, at) = FXT_ARG(is_signed ? FXT_ARG_INT32 : FXT_ARG_UINT32, 1, f->name,
					     (__u32)value);
		return at + 1;
	}
	FXT_TP_WORD(r, at) = FXT_ARG(is_signed ? FXT_ARG_INT64 : FXT_ARG_UINT64, 2, f->name, 0);
	FXT_TP_WORD(r, at + 1) = is_signed ? value : fxt_tp_public(value);
	return at + 2;
}

/* Returns the offset of a string; sets *room to the most bytes of the string with its terminator. */
FXT_INLINE __u32 fxt_tp_string_offset(const struct fxtrec_field *f, fxt_tp_raw raw, __u32 *room)
{
	__u32 where = 0;

	*room = FXT_TP_STRING_ROOM;
	if (f->kind == FXTREC_FIELD_CHARS) {
		if (f->size < FXT_TP_STRING_ROOM)
			*room = f->size + 1;
		return f->offset;
	}
	if (FXT_TP_READ(raw, f->offset, &where, 4u))
		return 0;
	return (where & 0xffff) + (f->kind == FXTREC_FIELD_STRING_REL ? f->offset + 4u : 0);
}

/* Writes a string at word at.  Returns the next word. */
FXT_INLINE __u32 fxt_tp_string(struct fxt_tp_record *r, __u32 at, const struct fxtrec_field *f,
			       fxt_tp_raw raw)
{
	__u32 room, offset = fxt_tp_string_offset(f, raw, &room), bytes, words, i;
	long got = offset ? FXT_TP_READ_STR(raw, offset, &FXT_TP_WORD(r, at + 1), room) : 0;

	bytes = got > 1 ? (got - 1) & (FXT_TP_STRING_ROOM - 1) : 0;
	words = fxt_words(bytes);
	FXT_TP_WORD(r, at) = FXT_ARG(FXT_ARG_STRING, 1 + words, f->name, fxt_ref_inline(bytes));
	for (i = 0; i < FXT_TP_STRING_ROOM / 8 && i < words; i++)
		FXT_TP_WORD(r, at + 1 + i) = fxt_text_ascii(FXT_TP_WORD(r, at + 1 + i));
	if (bytes & 7)
		FXT_TP_WORD(r, at + words) &= (1ULL << 8 * (bytes & 7)) - 1;
	return at + 1 + words;
}

/* Writes a field at word at.  Returns the next word. */
FXT_INLINE __u32 fxt_tp_field(struct fxt_tp_record *r, __u32 at, const struct fxtrec_field *f,
			      fxt_tp_raw raw)
{
	return f->kind <= FXTREC_FIELD_UINT ? fxt_tp_number(r, at, f, raw) :
	       fxt_tp_string(r, at, f, raw);
}

/* Writes the words before the fields; words is the size of the record, args its number of fields. */
FXT_INLINE void fxt_tp_head(struct fxt_tp_record *r, const struct fxtrec_tracepoint *tp, __u32 words,
			    __u32 args, __u32 tgid, __u32 tid, __u64 ticks)
{
	r->word[0] = fxt_event(FXT_EVENT_INSTANT, words, args, 0, tp->category, tp->name);
	r->word[1] = ticks;
	r->word[2] = tgid;
	r->word[3] = tid;
}

#endif
