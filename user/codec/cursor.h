/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reads a record's contents in order, and never past its end. */
#ifndef FXT_CODEC_CURSOR_H
#define FXT_CODEC_CURSOR_H

#include "codec/provider.h"

/*
 * State of reading a record.  Once something is missing, fault is set and all further reads
 * return empty values, so callers check fault once, at the end.
 */
struct fxt_cursor {
	const __u8 *data;	/* bytes of the record */
	__u64 at;		/* offset of the next read */
	__u64 end;		/* end offset of the record, or of one argument */
	const struct fxt_provider *provider;
	bool unresolved;	/* a reference had no target */
	const char *fault;	/* clause that describes the fault; NULL: none */
	__u64 fault_at;
};

static inline void fxt_cursor_fail(struct fxt_cursor *c, __u64 at, const char *fault)
{
	if (c->fault)
		return;
	c->fault = fault;
	c->fault_at = at;
}

static inline __u64 fxt_cursor_word(struct fxt_cursor *c, const char *missing)
{
	__u64 at = c->at;

	if (c->fault || c->end - at < 8) {
		fxt_cursor_fail(c, at, missing);
		return 0;
	}
	c->at += 8;
	return fxt_frame_word(c->data + at);
}

/* Reads bytes that are padded to whole words.  Never returns NULL. */
static inline const __u8 *fxt_cursor_bytes(struct fxt_cursor *c, __u32 length, const char *missing)
{
	__u64 at = c->at;

	if (c->fault || 8 * fxt_words(length) > c->end - at) {
		fxt_cursor_fail(c, at, missing);
		return c->data;
	}
	c->at += 8 * fxt_words(length);
	return c->data + at;
}

/* Reads a text in the record itself; at: offset of its length. */
static inline struct fxt_text fxt_cursor_text(struct fxt_cursor *c, __u32 length, __u32 at,
					      const char *missing)
{
	const __u8 *bytes = fxt_cursor_bytes(c, length, missing);

	return (struct fxt_text){ (const char *)bytes, c->fault ? 0 : length, at,
				  FXT_REF_INLINE | length, false };
}

/* Sets *text by its reference, which is at offset at. */
static inline void fxt_cursor_string(struct fxt_cursor *c, struct fxt_text *text, __u16 ref, __u32 at,
				     const char *missing)
{
	if (ref & FXT_REF_INLINE) {
		*text = fxt_cursor_text(c, ref & ~FXT_REF_INLINE, at, missing);
		return;
	}
	text->at = at;
	text->ref = ref;
	if (ref) {
		fxt_provider_string_get(c->provider, ref, text);
		c->unresolved |= text->unknown;
		return;
	}
	text->bytes = "";
	text->length = 0;
	text->unknown = false;
}

/* Reads a thread by its reference, which is at offset at. */
static inline struct fxt_thread_koids fxt_cursor_thread(struct fxt_cursor *c, __u8 ref, __u32 at)
{
	struct fxt_thread_koids koids = { .at = at, .ref = ref };

	if (ref) {
		fxt_provider_thread_get(c->provider, ref, &koids);
		c->unresolved |= koids.unknown;
		return koids;
	}
	koids.process = fxt_cursor_word(c, "ends before its process id");
	koids.thread = fxt_cursor_word(c, "ends before its thread id");
	return koids;
}

/* Reads a record of r->kind after its header; sets c->fault if it is malformed. */
void fxt_decode(struct fxt_cursor *c, struct fxt_record *r);

#endif
