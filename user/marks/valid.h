/* SPDX-License-Identifier: GPL-2.0-only */
/* Which records a program may write. */
#ifndef FXT_MARKS_VALID_H
#define FXT_MARKS_VALID_H

#include "codec/decoder.h"

struct fxt_mark_valid {
	struct fxt_decoder decoder;	/* without any string or thread: a reference is none's */
	struct fxt_record record;
};

void fxt_mark_valid_init(struct fxt_mark_valid *valid);
void fxt_mark_valid_uninit(struct fxt_mark_valid *valid);

/*
 * Whether it is an instant, a counter of one number, or the begin, the end or all of a
 * duration, as the format has it; of that process; of the category "user" or one below
 * it.  The record's fields are in valid->record then.
 */
bool fxt_mark_is_valid(struct fxt_mark_valid *valid, const __u64 *w, unsigned int words, __u32 pid);

/* The record's latest time. */
__u64 fxt_mark_latest(const struct fxt_record *r);

#endif
