/* SPDX-License-Identifier: GPL-2.0-only */
/* The rest of a kernel's trigger after it has asked for a snapshot. */
#ifndef FXT_FLIGHT_REST_H
#define FXT_FLIGHT_REST_H

#include <stdbool.h>

#include <linux/types.h>

/*
 * Each snapshot doubles the rest, up to FXT_REST_MAX_NS, as any user's program can write a line of the kernel's log or
 * be late.  After eight quiet rests, a trigger starts with FXT_REST_NS again.
 */
#define FXT_REST_NS	1000000000ULL
#define FXT_REST_MAX_NS	(600 * FXT_REST_NS)

/* All zero: the trigger may ask. */
struct fxt_rest {
	__u64 asked;	/* CLOCK_MONOTONIC of its last snapshot; 0: none */
	__u64 ns;	/* duration of the rest after asked */
	__u64 refused;	/* number of times that the rest prevented a snapshot */
};

/* Returns whether a trigger may ask now, and counts refusals. */
static inline bool fxt_rest_over(struct fxt_rest *rest, __u64 now)
{
	bool over = !rest->asked || now - rest->asked >= rest->ns;

	rest->refused += !over;
	return over;
}

/* Notes that a trigger asks now, and sets its next rest. */
static inline void fxt_rest_start(struct fxt_rest *rest, __u64 now)
{
	bool quiet = !rest->asked || now - rest->asked >= 8 * rest->ns;

	rest->ns = quiet ? FXT_REST_NS : rest->ns < FXT_REST_MAX_NS / 2 ? 2 * rest->ns : FXT_REST_MAX_NS;
	rest->asked = now;
}

#endif
