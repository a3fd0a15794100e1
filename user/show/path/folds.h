/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of the segments of all windows, and of the causes of waits among them. */
#ifndef FXT_SHOW_PATH_FOLDS_H
#define FXT_SHOW_PATH_FOLDS_H

#include "analyze/path/sums.h"
#include "show/path/path.h"
#include "util/json_writer.h"

struct fxt_path_folds {
	const struct fxt_path_view *view;
	struct fxt_path_sums sums, behind, reasons;
};

void fxt_path_folds_init(struct fxt_path_folds *folds, const struct fxt_path_view *view, struct fxt_spill *spill);
void fxt_path_folds_uninit(struct fxt_path_folds *folds);

/* Adds a segment of a number of windows; 0 or -ENOMEM.  After the last segment: sort, then print. */
int fxt_path_folds_add(struct fxt_path_folds *folds, struct fxt_tasks *tasks, const struct fxt_segment *segment,
		       __u64 windows);

/* Does the same for ns of count segments: of a waiting thread, or with behind, of a cause of waits. */
int fxt_path_folds_add_sum(struct fxt_path_folds *folds, struct fxt_tasks *tasks, const struct fxt_segment *s, __u64 ns,
			   __u64 count, bool behind);
void fxt_path_folds_sort(struct fxt_path_folds *folds);

/* Prints three tables, or the members sum, behind and reasons.  0 or -ENOMEM. */
void fxt_path_folds_text(const struct fxt_screen *screen, struct fxt_path_folds *folds);
int fxt_path_folds_json(struct fxt_json_writer *w, FILE *out, struct fxt_path_folds *folds);

#endif
