/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The users' shares of a recorder: programs of one user take nothing from another user's share.  The recorder's own
 * user, and for root's recorder also the user of sudo, have one larger share together.
 */
#ifndef FXT_MARKS_SHARE_H
#define FXT_MARKS_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define FXT_MARK_USERS_MAX	64u	/* users that have a share of their own at a time */

struct fxt_mark_share {
	unsigned int programs;	/* number of programs at a time */
	__u32 rate;		/* bytes of records a second, in the long run */
	__u32 burst;		/* bytes above the rate, at once */
	__u32 queued;		/* bytes that the drain has not taken */
	__u32 kept;		/* bytes in a flight recorder's memory */
	__u32 turn_ns;		/* of the reader's time, in each iteration */
	__u32 part;		/* a file with a limit has this many parts, and the share is one */
};

static const struct fxt_mark_share fxt_mark_share_own = {
	.programs = 1024, .rate = 32u << 20, .burst = 64u << 20, .queued = 8u << 20, .kept = 32u << 20,
	.turn_ns = 4000000, .part = 2,
};

static const struct fxt_mark_share fxt_mark_share_other = {
	.programs = 1024, .rate = 1u << 20, .burst = 4u << 20, .queued = 256u << 10, .kept = 1u << 20,
	.turn_ns = 250000, .part = 16,
};

/* A user's bytes: by time, and by file. */
struct fxt_mark_budget {
	const struct fxt_mark_share *share;
	__s64 tokens;		/* bytes; below zero after the last records of a turn */
	__u64 filled;		/* CLOCK_MONOTONIC, ns */
	__s64 file;		/* bytes left in this file; meaningless in a file without a limit */
	bool limited;		/* the file has a limit */
};

static inline void fxt_mark_budget_init(struct fxt_mark_budget *b, const struct fxt_mark_share *share, __u64 now)
{
	*b = (struct fxt_mark_budget){ .share = share, .tokens = share->burst, .filled = now };
}

/* Starts a file of at most bytes; 0: no limit. */
static inline void fxt_mark_budget_file(struct fxt_mark_budget *b, __u64 bytes)
{
	b->limited = bytes;
	b->file = bytes / b->share->part;
}

/* Returns the bytes that may be spent now, if positive. */
static inline __s64 fxt_mark_budget_left(struct fxt_mark_budget *b, __u64 now)
{
	__u64 more = (unsigned __int128)(now - b->filled) * b->share->rate / 1000000000;

	if (more) {
		b->filled += more * 1000000000 / b->share->rate;
		b->tokens = b->tokens + (__s64)more < b->share->burst ? b->tokens + (__s64)more : b->share->burst;
	}
	return b->limited && b->file < b->tokens ? b->file : b->tokens;
}

static inline void fxt_mark_budget_spend(struct fxt_mark_budget *b, size_t bytes)
{
	b->tokens -= bytes;
	b->file -= bytes;
}

#endif
