/* SPDX-License-Identifier: GPL-2.0-only */
/* Blanks begins and ends of durations that have no pair in a snapshot. */
#ifndef FXT_FLIGHT_UNPAIRED_H
#define FXT_FLIGHT_UNPAIRED_H

#include <stddef.h>

#include <linux/types.h>

struct fxt_edge;

/* The begins and ends of durations; all zero is empty. */
struct fxt_unpaired {
	struct fxt_edge *edges;
	size_t count;
};

/* Adds the begins and ends in a CPU's whole records, which stay in memory.  -ENOMEM. */
int fxt_unpaired_add(struct fxt_unpaired *unpaired, __u32 cpu, __u64 *records, size_t words);

/*
 * Blanks begins and ends without a pair.  CPUs' records reach back differently far: after a thread has moved, its end
 * may lack its begin, or its begin its end.  A consumer would close another slice with it, or nest slices that don't
 * nest.  Such records are overwritten by section records of their own provider, which do nothing.  So is a pair on two
 * CPUs that begins before covered, the start of the records of all CPUs: other edges may be missing between.
 */
void fxt_unpaired_blank(struct fxt_unpaired *unpaired, __u64 covered);

void fxt_unpaired_uninit(struct fxt_unpaired *unpaired);

#endif
