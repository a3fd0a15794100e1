/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits the names of a thread in a flight recorder's log to some per second, so that a thread that renames again and
 * again doesn't evict the names of others.
 */
#ifndef FXT_FLIGHT_THIN_H
#define FXT_FLIGHT_THIN_H

#include "describe/names.h"

#define FXT_THIN_NAMES	32u

/*
 * A stage before a sink.  Passes whole records on, except for a thread's names beyond FXT_THIN_NAMES in one second,
 * which it counts.  Returns the sink's error.
 */
struct fxt_thin_stage {
	struct fxt_names *names;	/* has learned the records already */
	__u64 *left_out;
	const struct fxt_sink *to;
};
int fxt_thin_put(void *stage, const void *records, size_t bytes);

#endif
