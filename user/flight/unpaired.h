/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends and begins of durations whose other edge a snapshot doesn't hold. */
#ifndef FXT_FLIGHT_UNPAIRED_H
#define FXT_FLIGHT_UNPAIRED_H

#include <stddef.h>

#include <linux/types.h>

/* A CPU's records, which are whole. */
struct fxt_unpaired_of {
	__u32 cpu;
	__u64 *records;
	size_t words;
};

/*
 * CPUs' records go back differently far, so that of a thread that has moved an end
 * may be there without its begin, or a begin whose end lies before another's.  A
 * consumer would close what it isn't the end of, or nest what doesn't nest.  So
 * they are made into sections of their own provider, which say nothing; and so is a
 * pair on two CPUs that begins before covered, when records of all CPUs begin, for
 * other edges may have been between.  -ENOMEM.
 */
int fxt_unpaired_blank(const struct fxt_unpaired_of *cpus, unsigned int count, __u64 covered);

#endif
