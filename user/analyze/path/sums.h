/* SPDX-License-Identifier: GPL-2.0-only */
/* What the segments of critical paths come to: by thread, or by what threads have in common, and by kind. */
#ifndef FXT_ANALYZE_PATH_SUMS_H
#define FXT_ANALYZE_PATH_SUMS_H

#include "analyze/path/path.h"
#include "analyze/report.h"

struct fxt_path_sum {
	const struct fxt_task *task;	/* of the first of them; NULL: it is no thread, but behind, of that name */
	const char *name;		/* of what they have in common; NULL: not known */
	__u64 key;			/* of that thread */
	__u64 from;			/* of the first segment */
	__u64 ns, count;
	enum fxt_segment_kind kind;
	enum fxt_culprit_kind behind;
};

struct fxt_path_sums {
	enum fxt_report_by by;
	struct fxt_map numbers;		/* of rows, by group and kind */
	struct fxt_path_sum *rows;
	size_t count;
	__u64 ns;			/* of all rows */
};

void fxt_path_sums_init(struct fxt_path_sums *sums, struct fxt_spill *spill, enum fxt_report_by by);
void fxt_path_sums_uninit(struct fxt_path_sums *sums);

/* ns of so many segments like one, to its thread's; or a wait's to what it was behind.  0 or -ENOMEM. */
int fxt_path_sums_add(struct fxt_path_sums *sums, struct fxt_tasks *tasks, const struct fxt_segment *segment,
		      __u64 ns, __u64 count);
int fxt_path_sums_add_behind(struct fxt_path_sums *sums, struct fxt_tasks *tasks, const struct fxt_segment *wait,
			     __u64 ns, __u64 count);

/* Adds a segment to the sum of its reason, such as the kernel's function that its thread slept in. */
int fxt_path_sums_add_reason(struct fxt_path_sums *sums, const struct fxt_segment *segment, __u64 ns, __u64 count);

/* The longest first. */
void fxt_path_sums_sort(struct fxt_path_sums *sums);

#endif
