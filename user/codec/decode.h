/* SPDX-License-Identifier: GPL-2.0-only */
/* The decoder's parts: each reads the fields of one kind of record, behind its header. */
#ifndef FXT_CODEC_DECODE_H
#define FXT_CODEC_DECODE_H

#include "codec/cursor.h"

void fxt_decode_args(struct fxt_cursor *c, struct fxt_record *r, unsigned int count);

void fxt_decode_event(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_blob(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_large_blob(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_userspace_object(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_kernel_object(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_legacy_switch(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_context_switch(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_wakeup(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_log(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_module(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_mmap(struct fxt_cursor *c, struct fxt_record *r);
void fxt_decode_backtrace(struct fxt_cursor *c, struct fxt_record *r);

/* The timestamp of a record. */
static inline void fxt_decode_ticks(struct fxt_cursor *c, struct fxt_record *r)
{
	r->ticks = fxt_cursor_word(c, "ends before its timestamp");
	r->timed = true;
}

#endif
