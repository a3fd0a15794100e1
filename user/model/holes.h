/* SPDX-License-Identifier: GPL-2.0-only */
/* Holes between the parts of a recording: times that no input has. */
#ifndef FXT_MODEL_HOLES_H
#define FXT_MODEL_HOLES_H

#include "model/facts.h"
#include "model/time_span.h"

/* An input, as it was read. */
struct fxt_holes_input {
	__u32 machine;		/* a number */
	__u32 file;		/* likewise: inputs of one file are of different machines */
	struct fxt_facts facts;
	struct fxt_time_span span;
	struct fxt_times whole;	/* of all of the file */
};

/*
 * Calls found() with each time (from, to), in ns, that lies between the inputs of a machine and in none of
 * them, by their scheduling and their readings of the clocks; by machine and time.  0, -ENOMEM, or what found() fails
 * with.
 */
int fxt_holes_find(const struct fxt_holes_input *inputs, size_t count,
		   int (*found)(void *arg, __u32 machine, __u64 from, __u64 to), void *arg);

#endif
