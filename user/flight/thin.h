/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of a thread's names is kept in a flight recorder's log: so many a second, so that no
 * thread that renames again and again drives out the names of others.
 */
#ifndef FXT_FLIGHT_THIN_H
#define FXT_FLIGHT_THIN_H

#include "describe/names.h"

#define FXT_THIN_NAMES	32u

/*
 * A stage before a sink.  It hands on whole records, but for a thread's names beyond
 * FXT_THIN_NAMES of one second, which it counts.  What the sink fails with.
 */
struct fxt_thin_stage {
	struct fxt_names *names;	/* that have learned the records */
	__u64 *left_out;
	const struct fxt_sink *to;
};
int fxt_thin_put(void *stage, const void *records, size_t bytes);

#endif
