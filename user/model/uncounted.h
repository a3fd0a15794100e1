/* SPDX-License-Identifier: GPL-2.0-only */
/* Losses of which nothing says how many records they are: where and when each was. */
#ifndef FXT_MODEL_UNCOUNTED_H
#define FXT_MODEL_UNCOUNTED_H

#include <stdbool.h>

#include "codec/record.h"

#define FXT_UNCOUNTED_MAX	32u

struct fxt_uncounted_one {
	char cause[24];		/* as the event says it */
	bool of_cpu;		/* cpu and ring hold, from an event "lost"; else it is damage of the file, at offset */
	__u32 cpu;
	__u32 ring;		/* enum fxtrec_ring_kind; FXTREC_RINGS: not known */
	__u64 offset;
	bool timed;		/* from holds */
	__u64 from;		/* ns of the provider's clock; of damage: of the last record before it */
	__u64 to;		/* of an event; as from, where it has no end */
};

struct fxt_uncounted {
	__u64 count;		/* of which the first FXT_UNCOUNTED_MAX are kept */
	struct fxt_uncounted_one list[FXT_UNCOUNTED_MAX];
	__u64 overlong;		/* records of fxtrec's of sizes that are more than their contents */
	bool timed;		/* ns holds, of the last record so far */
	__u64 ns;
};

/*
 * Whether it says that the buffer of a provider was full that isn't fxtrec's: these report what was lost by events.
 * p: a provider of a known name: the one that the record is about, or that of the section it is in.
 */
bool fxt_uncounted_full(const struct fxt_record *r, const struct fxt_provider *p);

/* Looks at a record, in the order of the file. */
void fxt_uncounted_add(struct fxt_uncounted *uncounted, const struct fxt_record *r);

/* Of the file itself, by that cause: it is cut there, can't be read beyond, or lacks its end. */
void fxt_uncounted_file(struct fxt_uncounted *uncounted, const char *cause, __u64 offset);

/* "scheduling" and so on, of a ring that is known. */
const char *fxt_uncounted_ring(unsigned int ring);

#endif
