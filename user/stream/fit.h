/* SPDX-License-Identifier: GPL-2.0-only */
/* Converts a clock's own nanoseconds to CLOCK_MONOTONIC, by one or two readings of both. */
#ifndef FXT_STREAM_FIT_H
#define FXT_STREAM_FIT_H

#include <linux/types.h>

/* Reading of both clocks at one time: ns by the clock's nominal rate, and CLOCK_MONOTONIC. */
struct fxt_fit_reading {
	__u64 ns;
	__u64 monotonic;
};

/* All zero: the clock is CLOCK_MONOTONIC. */
struct fxt_fit {
	__u64 offset;		/* offset at the first reading, and before */
	__u64 begin, span;	/* ns of the first reading; ns from there to the last */
	__s64 slope;		/* slope of the offset in between, in 2^-62 */
};

void fxt_fit_one(struct fxt_fit *fit, const struct fxt_fit_reading *first);

/*
 * Fits the clock's rate between two readings; outside them it is the nominal rate.  False, and only the first reading
 * counts, where a clock can't have such a rate: one of the clocks was set, or stopped, in between.
 */
_Bool fxt_fit_two(struct fxt_fit *fit, const struct fxt_fit_reading *first,
		  const struct fxt_fit_reading *last);

/* Converts a time; never decreases with ns. */
static inline __u64 fxt_fit_ns(const struct fxt_fit *fit, __u64 ns)
{
	__u64 at = ns > fit->begin ? ns - fit->begin : 0;

	if (!fit->span)
		return ns + fit->offset;
	if (at > fit->span)
		at = fit->span;
	return ns + fit->offset + (__s64)((__int128)at * fit->slope >> 62);
}

#endif
