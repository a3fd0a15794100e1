/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the segments of critical paths, by thread or by a common property of threads, and by kind. */
#ifndef FXT_ANALYZE_PATH_SUMS_H
#define FXT_ANALYZE_PATH_SUMS_H

#include "analyze/path/path.h"
#include "analyze/report.h"

struct fxt_path_sum {
	const struct fxt_task *task;	/* thread of the first segment; NULL: no thread, but behind, with that name */
	const char *name;		/* name of the common property; NULL: not known */
	__u64 key;			/* key of the thread */
	__u64 from;			/* start of the first segment */
	__u64 ns, count;
	enum fxt_segment_kind kind;
	enum fxt_culprit_kind behind;
};

struct fxt_path_sums {
	enum fxt_report_by by;
	struct fxt_map numbers;		/* numbers of rows, by group and kind */
	struct fxt_path_sum *rows;
	size_t count;
	__u64 ns;			/* sum of all rows */
};

void fxt_path_sums_init(struct fxt_path_sums *sums, struct fxt_spill *spill, enum fxt_report_by by);
void fxt_path_sums_uninit(struct fxt_path_sums *sums);

/*
 * Add ns of count segments like this one to the row of its thread; or of a wait to the row
 * of its culprit.  Return 0 or -ENOMEM.
 */
int fxt_path_sums_add(struct fxt_path_sums *sums, struct fxt_tasks *tasks, const struct fxt_segment *segment,
		      __u64 ns, __u64 count);
int fxt_path_sums_add_behind(struct fxt_path_sums *sums, struct fxt_tasks *tasks, const struct fxt_segment *wait,
			     __u64 ns, __u64 count);

/* Adds a segment to the sum of its reason, such as the kernel's function that its thread slept in. */
int fxt_path_sums_add_reason(struct fxt_path_sums *sums, const struct fxt_segment *segment, __u64 ns, __u64 count);

/* Sorts the rows, the longest first. */
void fxt_path_sums_sort(struct fxt_path_sums *sums);

#endif
