/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of time, and readings of clocks. */
#ifndef FXT_UTIL_TIME_H
#define FXT_UTIL_TIME_H

#include <time.h>

#include <linux/types.h>

#define SECOND_NS	1000000000ULL

/* Reads a clock, in ns. */
static inline __u64 fxt_time_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * SECOND_NS + now.tv_nsec;
}

#endif
