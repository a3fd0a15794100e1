/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An index of a queue's runs by culprit, after the end: how long each ran in a part, how many ran in a part,
 * and which may have run longest.  A culprit is a suspect, or a group of suspects: a color.
 */
#ifndef FXT_ANALYZE_BLAME_INDEX_H
#define FXT_ANALYZE_BLAME_INDEX_H

#include "analyze/blame/queue.h"

/* Sums that a summary has. */
#define FXT_BLAME_GREATEST	32u

/*
 * The greatest sums of some runs by color, ascending by color.  Each is less than the true one by lost at most; so is
 * the sum of a color that isn't there.
 */
struct fxt_blame_summary {
	__u64 lost;		/* ns */
	__u32 used;
	struct fxt_blame_sum {
		__u64 ns;
		__u32 color;
	} of[FXT_BLAME_GREATEST];
};

#define FXT_BLAME_LEVELS	32u
#define FXT_BLAME_LEAF		FXT_BLAME_GREATEST	/* runs of a summary of the first level: it has all sums */

struct fxt_blame_index {
	struct fxt_blame_colors {
		const __u32 *of;	/* by the number of a suspect; NULL: each has its number */
		__u32 count;
	} colors;
	size_t base, count;		/* the runs */
	__u32 *starts;			/* by color, and one more: its first place */
	struct fxt_blame_place {
		__u64 sum;		/* ns of this run, and of all of the color before */
		__u32 run;		/* from base on */
	} *places;			/* by color, then by run */
	struct fxt_blame_level {
		struct fxt_blame_summary *of;	/* of FXT_BLAME_LEAF << level runs each */
		size_t count;
	} levels[FXT_BLAME_LEVELS];
};

static inline __u32 fxt_blame_color(const struct fxt_blame_colors *colors, __u32 number)
{
	return colors->of ? colors->of[number] : number;
}

/* Makes an index of the runs that parts need; summaries, and parts' numbers of culprits, where wanted.  0 or -ENOMEM. */
int fxt_blame_index_make(struct fxt_blame *blame, struct fxt_blame_queue *queue, const struct fxt_blame_colors *colors,
			 bool greatest);
void fxt_blame_index_free(struct fxt_blame *blame, struct fxt_blame_queue *queue);

/* ns of a color in a part; apart is not subtracted. */
__u64 fxt_blame_index_sum(const struct fxt_blame_part *part, __u32 color);

/* A run, as far as it is in a part. */
struct fxt_blame_sum fxt_blame_index_run(const struct fxt_blame_part *part, size_t number);

/* Adds a summary of a part to another. */
void fxt_blame_index_summary(const struct fxt_blame_part *part, struct fxt_blame_summary *to);

/* Adds a summary to another. */
void fxt_blame_summary_merge(struct fxt_blame_summary *to, const struct fxt_blame_summary *from);

/*
 * Replaces, for parts of queues that have an index, the sums without a part, by color, by the greatest sums of all,
 * and others.  0 or -ENOMEM.
 */
int fxt_blame_greatest(const struct fxt_blame *blame, struct fxt_culprits *culprits, const struct fxt_blame_part *parts);

/* Counts for many parts of one queue the runs from the first one of any, base, to the last one of any. */
size_t fxt_blame_parts_span(struct fxt_blame_part *const *parts, size_t count, size_t *base);

/* Adds all sums of these, by color.  0 or -ENOMEM. */
int fxt_blame_parts_sum(const struct fxt_blame *blame, struct fxt_blame_part *const *parts, size_t count,
			struct fxt_culprits *to);

#endif
