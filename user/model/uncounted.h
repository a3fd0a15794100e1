/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists losses of an unknown number of records, with the place and the time of each. */
#ifndef FXT_MODEL_UNCOUNTED_H
#define FXT_MODEL_UNCOUNTED_H

#include <stdbool.h>

#include "codec/record.h"

#define FXT_UNCOUNTED_MAX	32u

struct fxt_uncounted_one {
	char cause[24];		/* cause, as in the event */
	bool of_cpu;		/* loss is an event's, with cpu and ring; else it is damage of the file, at offset */
	__u32 cpu;
	__u32 ring;		/* enum fxtrec_ring_kind; FXTREC_RINGS: not known */
	__u64 offset;
	bool timed;		/* from and to are set */
	__u64 from;		/* ns of the provider's clock; for damage, the time of the last record before it */
	__u64 to;		/* end of an event; equal to from without an end */
};

struct fxt_uncounted {
	__u64 count;		/* number of losses; list has the first FXT_UNCOUNTED_MAX */
	struct fxt_uncounted_one list[FXT_UNCOUNTED_MAX];
	__u64 overlong;		/* records of fxtrec with a size beyond their contents */
	bool timed;		/* ns is set: time of the last record so far */
	__u64 ns;
};

/*
 * Returns whether a record reports that the buffer of a foreign provider was full; fxtrec's own providers report
 * losses by events.  p: a provider with a known name: the provider that the record names, or its section's.
 */
bool fxt_uncounted_full(const struct fxt_record *r, const struct fxt_provider *p);

/* Adds a record; called for all records in the order of the file. */
void fxt_uncounted_add(struct fxt_uncounted *uncounted, const struct fxt_record *r);

/* Adds damage of the file at offset: it is cut, unreadable, or lacks its end. */
void fxt_uncounted_file(struct fxt_uncounted *uncounted, const char *cause, __u64 offset);

/* Returns the name of a known ring, such as "scheduling". */
const char *fxt_uncounted_ring(unsigned int ring);

#endif
