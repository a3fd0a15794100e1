// SPDX-License-Identifier: GPL-2.0-only
/* Reads the values of a tracepoint's fields. */
#include "formats/tracepoint/kind.h"
#include "util/utf8.h"

bool fxt_tp_number_at(const struct fxt_tp_event *e, unsigned int field, __s64 *number)
{
	const struct fxt_tp_field *f = &e->tp->field[field];
	bool is_signed = f->type == FXT_TP_INT;
	const __u8 *at;

	if (f->type > FXT_TP_UINT)
		return false;
	if (!e->raw) {
		*number = e->value[field].number;
		return true;
	}
	if (f->offset > e->raw_bytes || f->bytes > e->raw_bytes - f->offset)
		return false;
	at = e->raw + f->offset;
	switch (f->bytes) {
	case 1:
		*number = is_signed ? (__s8)*at : *at;
		return true;
	case 2:
		*number = is_signed ? (__s16)(at[0] | at[1] << 8) : at[0] | at[1] << 8;
		return true;
	case 4: {
		__s32 four;

		memcpy(&four, at, 4);
		*number = is_signed ? four : (__s64)(__u32)four;
		return true;
	}
	case 8:
		memcpy(number, at, 8);
		return true;
	default:
		return false;
	}
}

/* Finds a dynamic string: the kernel's __data_loc or __rel_loc. */
static bool dynamic(const struct fxt_tp_event *e, const struct fxt_tp_field *f, struct fxt_span *text)
{
	__u32 where, offset, bytes;

	if (f->offset > e->raw_bytes || e->raw_bytes - f->offset < 4)
		return false;
	memcpy(&where, e->raw + f->offset, 4);
	offset = where & 0xffff;
	bytes = where >> 16;
	if (f->type == FXT_TP_STRING_RELATIVE)
		offset += f->offset + 4;
	if (offset > e->raw_bytes || bytes > e->raw_bytes - offset)
		return false;
	*text = fxt_span((const char *)e->raw + offset, bytes);
	return true;
}

static inline bool raw_text(const struct fxt_tp_event *e, const struct fxt_tp_field *f, struct fxt_span *text)
{
	if (f->type != FXT_TP_CHARS)
		return f->type != FXT_TP_REAL && dynamic(e, f, text);
	if (f->offset > e->raw_bytes)
		return false;
	*text = fxt_span((const char *)e->raw + f->offset, e->raw_bytes - f->offset);
	/* An array without a length extends to the end of the event. */
	if (f->bytes && f->bytes > text->bytes)
		return false;
	if (f->bytes)
		text->bytes = f->bytes;
	return true;
}

/*
 * Cuts a text at its terminator; returns whether all characters before it are printable ASCII.  Tests eight bytes at a
 * time, as most texts are names of threads: a carry or a borrow reaches only bytes after a bad byte or after the end.
 */
static bool plain_end(struct fxt_span *text)
{
	const __u64 ones = 0x0101010101010101, high = 0x8080808080808080;
	__u64 word, bad = 0, end;
	size_t i;

	for (i = 0; i + 8 <= text->bytes; i += 8) {
		memcpy(&word, text->at + i, 8);
		word = le64toh(word);
		end = (word - ones) & ~word & high;
		/* Bad bytes before the first terminator. */
		bad |= ((word + ones) | (word - 0x20 * ones) | word) & high & ((end & -end) - 1);
		if (end) {
			text->bytes = i + (__builtin_ctzll(end) >> 3);
			return !bad;
		}
	}
	for (; i < text->bytes && text->at[i]; i++)
		bad |= (__u8)text->at[i] >= 0x7f || (__u8)text->at[i] < 0x20;
	text->bytes = i;
	return !bad;
}

/* Copies the text with valid characters only. */
static void clean(struct fxt_tp_room *room, struct fxt_span *text)
{
	char *to = room->at;
	size_t i;

	if (text->bytes > room->bytes)
		text->bytes = room->bytes;
	memcpy(to, text->at, text->bytes);
	fxt_utf8_mend(to, text->bytes);
	for (i = 0; i < text->bytes; i++)
		if (((__u8)to[i] < 0x20 && to[i] != '\t') || to[i] == 0x7f)
			to[i] = '?';
	room->at += text->bytes;
	room->bytes -= text->bytes;
	text->at = to;
}

bool fxt_tp_text_at(struct fxt_tp_room *room, const struct fxt_tp_event *e, unsigned int field,
		    struct fxt_span *text)
{
	const struct fxt_tp_field *f = &e->tp->field[field];
	bool plain;

	if (f->type < FXT_TP_CHARS || f->type > FXT_TP_STRING_RELATIVE)
		return false;
	if (!e->raw)
		*text = e->value[field].text;
	else if (!raw_text(e, f, text))
		return false;
	plain = plain_end(text);
	/* A final line break is not part of the text. */
	if (text->bytes && text->at[text->bytes - 1] == '\n')
		text->bytes--;
	if (text->bytes > FXT_STRING_BYTES_MAX)
		text->bytes = FXT_STRING_BYTES_MAX;
	if (!plain)
		clean(room, text);
	return true;
}

bool fxt_tp_comm_read(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, unsigned int field,
		      struct fxt_tp_comm *comm, struct fxt_span *text)
{
	const char *at = (const char *)e->raw + e->tp->field[field].offset;

	if (!fxt_tp_text_at(&rd->room, e, field, text))
		return false;
	/* A name that isn't printable was copied. */
	if (text->at == at) {
		memcpy(comm->word, at, sizeof(comm->word));
		comm->bytes = text->bytes;
	}
	return true;
}

bool fxt_tp_fits(const struct fxt_tp_event *e)
{
	struct fxt_span text;
	unsigned int i;

	if (e->raw_bytes < e->tp->extent)
		return false;
	for (i = 0; e->tp->dynamic && i < e->tp->fields; i++)
		if (e->tp->field[i].type > FXT_TP_CHARS && !raw_text(e, &e->tp->field[i], &text))
			return false;
	return true;
}
