/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Indexes a queue's runs by culprit, after the end: the time of each culprit in a part, the number of culprits
 * in a part, and the candidates for the longest time.  A culprit is a suspect, or a group of suspects: a color.
 */
#ifndef FXT_ANALYZE_BLAME_INDEX_H
#define FXT_ANALYZE_BLAME_INDEX_H

#include "analyze/blame/queue.h"

/* Sums of a summary. */
#define FXT_BLAME_GREATEST	32u

/*
 * The greatest sums of some runs by color, ascending by color.  Each sum is at most lost
 * below the true one; the true sum of a missing color is at most lost.
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
#define FXT_BLAME_LEAF		FXT_BLAME_GREATEST	/* runs of a summary of the first level, which has all sums */

struct fxt_blame_index {
	struct fxt_blame_colors {
		const __u32 *of;	/* color by number of the suspect; NULL: the number itself */
		__u32 count;
	} colors;
	size_t base, count;		/* indexed runs */
	__u32 *starts;			/* by color, with one more at the end: first index in places */
	struct fxt_blame_place {
		__u64 sum;		/* ns of this run, and of all earlier runs of the color */
		__u32 run;		/* number of the run, minus base */
	} *places;			/* runs sorted by color, then by number */
	struct fxt_blame_level {
		struct fxt_blame_summary *of;	/* summaries of FXT_BLAME_LEAF << level runs each */
		size_t count;
	} levels[FXT_BLAME_LEVELS];
};

static inline __u32 fxt_blame_color(const struct fxt_blame_colors *colors, __u32 number)
{
	return colors->of ? colors->of[number] : number;
}

/*
 * Makes an index of the runs of parts; with greatest, also summaries, and the parts' numbers
 * of culprits.  Returns 0 or -ENOMEM.
 */
int fxt_blame_index_make(struct fxt_blame *blame, struct fxt_blame_queue *queue, const struct fxt_blame_colors *colors,
			 bool greatest);
void fxt_blame_index_free(struct fxt_blame *blame, struct fxt_blame_queue *queue);

/* Returns ns of a color in a part, including the sums in apart. */
__u64 fxt_blame_index_sum(const struct fxt_blame_part *part, __u32 color);

/* Returns a run, cut to a part. */
struct fxt_blame_sum fxt_blame_index_run(const struct fxt_blame_part *part, size_t number);

/* Adds the summary of a part to another. */
void fxt_blame_index_summary(const struct fxt_blame_part *part, struct fxt_blame_summary *to);

/* Adds a summary to another. */
void fxt_blame_summary_merge(struct fxt_blame_summary *to, const struct fxt_blame_summary *from);

/*
 * Replaces the sums without parts, by color, by the greatest sums of all, and others; the
 * queues of the parts need an index.  Returns 0 or -ENOMEM.
 */
int fxt_blame_greatest(const struct fxt_blame *blame, struct fxt_culprits *culprits, const struct fxt_blame_part *parts);

/*
 * Returns the number of runs from the first run of any part, *base, to the last run of any
 * part; all parts are of one queue.
 */
size_t fxt_blame_parts_span(struct fxt_blame_part *const *parts, size_t count, size_t *base);

/* Adds all sums of the parts, by color.  Returns 0 or -ENOMEM. */
int fxt_blame_parts_sum(const struct fxt_blame *blame, struct fxt_blame_part *const *parts, size_t count,
			struct fxt_culprits *to);

#endif
