/* SPDX-License-Identifier: GPL-2.0-only */
/* The greater and the lesser of two numbers. */
#ifndef FXT_UTIL_EXTREME_H
#define FXT_UTIL_EXTREME_H

#include <linux/types.h>

static inline __u64 fxt_max(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

static inline __u64 fxt_min(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

#endif
