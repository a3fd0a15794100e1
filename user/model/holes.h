/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds holes between the parts of a recording: times that no input covers. */
#ifndef FXT_MODEL_HOLES_H
#define FXT_MODEL_HOLES_H

#include "model/facts.h"
#include "model/time_span.h"

/* An input that was read. */
struct fxt_holes_input {
	__u32 machine;		/* machine's number */
	__u32 file;		/* file's number; the inputs of one file are of different machines */
	struct fxt_facts facts;
	struct fxt_time_span span;
	struct fxt_times whole;	/* times of the whole file */
};

/*
 * Calls found() for each time (from, to), in ns, that lies between the inputs of a machine
 * and in none of the inputs; ordered by machine and time.  An input extends over its
 * scheduling and its readings of the clocks.  Returns 0, -ENOMEM, or the error of found().
 */
int fxt_holes_find(const struct fxt_holes_input *inputs, size_t count,
		   int (*found)(void *arg, __u32 machine, __u64 from, __u64 to), void *arg);

#endif
