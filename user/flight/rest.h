/* SPDX-License-Identifier: GPL-2.0-only */
/* The time for which a trigger of the kernel has to rest after it has asked for a snapshot. */
#ifndef FXT_FLIGHT_REST_H
#define FXT_FLIGHT_REST_H

#include <stdbool.h>

#include <linux/types.h>

/*
 * Each snapshot doubles the rest, as any user's program can write a line of the kernel's log or be late, up to
 * FXT_REST_MAX_NS; a trigger that was quiet for eight rests starts anew.
 */
#define FXT_REST_NS	1000000000ULL
#define FXT_REST_MAX_NS	(600 * FXT_REST_NS)

/* All zero is rested. */
struct fxt_rest {
	__u64 asked;	/* CLOCK_MONOTONIC, of the last snapshot that it asked for; 0: none */
	__u64 ns;	/* from then on */
	__u64 refused;	/* times that it would have asked for more */
};

/* Returns whether a trigger may ask now, and counts where it may not. */
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
