// SPDX-License-Identifier: GPL-2.0-only
/* Converts a clock's own nanoseconds to CLOCK_MONOTONIC, by one or two readings of both. */
#include "stream/fit.h"

/* Largest drift: a counter's rate is known to some millionths, and CLOCK_MONOTONIC is slewed by 1 / 2,000 at most. */
#define DRIFT_MAX	1000	/* reciprocal */

void fxt_fit_one(struct fxt_fit *fit, const struct fxt_fit_reading *first)
{
	*fit = (struct fxt_fit){ .offset = first->monotonic - first->ns };
}

_Bool fxt_fit_two(struct fxt_fit *fit, const struct fxt_fit_reading *first,
		  const struct fxt_fit_reading *last)
{
	__u64 span = last->ns - first->ns;
	__int128 drift = (__int128)last->monotonic - first->monotonic - span;

	fxt_fit_one(fit, first);
	if (last->ns <= first->ns || drift > span / DRIFT_MAX || -drift > span / DRIFT_MAX)
		return 0;
	fit->begin = first->ns;
	fit->span = span;
	fit->slope = drift * ((__int128)1 << 62) / span;
	return 1;
}
