/* SPDX-License-Identifier: GPL-2.0-only */
/* Blanks begins and ends of durations that have no pair in a snapshot. */
#ifndef FXT_FLIGHT_UNPAIRED_H
#define FXT_FLIGHT_UNPAIRED_H

#include <stddef.h>

#include <linux/types.h>

struct fxt_edge;

/* The begins and ends of durations; all zero is none. */
struct fxt_unpaired {
	struct fxt_edge *edges;
	size_t count;
};

/* Adds those in a CPU's whole records, which stay where they are.  -ENOMEM. */
int fxt_unpaired_add(struct fxt_unpaired *unpaired, __u32 cpu, __u64 *records, size_t words);

/*
 * CPUs' records go back differently far: where a thread has moved, an end may be there
 * without its begin, or a begin without its end.  A consumer would close another
 * slice by it, or nest slices that don't nest.  Such records are overwritten by section
 * records of their own provider, which do nothing.  So is a pair on two CPUs that begins
 * before covered, when the records of all CPUs begin: other edges may be missing between.
 */
void fxt_unpaired_blank(struct fxt_unpaired *unpaired, __u64 covered);

void fxt_unpaired_uninit(struct fxt_unpaired *unpaired);

#endif
