/* SPDX-License-Identifier: GPL-2.0-only */
/* Victims and culprits, each by thread, or summed by process, name or control group. */
#ifndef FXT_ANALYZE_MATRIX_H
#define FXT_ANALYZE_MATRIX_H

#include "analyze/blame/blame.h"
#include "analyze/report.h"

/* ns of waits behind threads of the victim's control group, of others, and where one of the two isn't known. */
struct fxt_matrix_share {
	__u64 own, foreign, unknown;
};

/* The figures of a row: identifier, name of --sort, its expression by a row r. */
#define FXT_MATRIX_COLUMNS(ROW)					\
	ROW(WAITED, "waited", r->wait)				\
	ROW(LONGEST, "longest", r->longest)			\
	ROW(WAITS, "waits", r->waits)				\
	ROW(OWN, "own", r->share.own)				\
	ROW(FOREIGN, "foreign", r->share.foreign)

#define FXT_MATRIX_COLUMN_ENUM(id, name, value)	FXT_MATRIX_##id,
enum fxt_matrix_column {
	FXT_MATRIX_COLUMNS(FXT_MATRIX_COLUMN_ENUM)
};

extern const char *const fxt_matrix_column_names[];	/* NULL is the last */

struct fxt_matrix_row {
	const struct fxt_task *task;	/* one of the victims */
	__u64 key;			/* of that thread */
	const char *name;		/* of what they have in common; NULL: not known */
	__u64 wait;			/* ns of all waits */
	__u64 waits;
	__u64 longest, longest_from;	/* ns: of the longest one, and its begin */
	__u64 longest_key;		/* of its thread */
	__u64 order;			/* the column that rows are sorted by */
	struct fxt_matrix_share share;	/* of wait */
	struct fxt_culprits *culprits;	/* by suspect; each group is one of its threads' */
	struct fxt_blame_part *parts;	/* in one list; their culprits are not in these yet */
};

struct fxt_matrix {
	struct fxt_blame *blames;	/* of each machine */
	__u32 blame_count;
	struct fxt_suspects *suspects;	/* of all of them */
	struct fxt_spill *spill;
	enum fxt_report_by by;
	struct fxt_matrix_row *rows;	/* sorted, the greatest first */
	size_t count;
	__u64 wait;			/* ns of all rows */
	struct fxt_matrix_share share;
	struct fxt_culprits all;	/* of all rows */
	__u32 *same;			/* by suspect: the first of the same group */
	struct fxt_map groups;		/* of rows' sums */
	struct fxt_matrix_part {
		struct fxt_blame_part *part;	/* of a victim of that row */
		struct fxt_blame_part *next;	/* of the same victim, while it is in a row's list */
		const struct fxt_blame_queue *queue;
		size_t row;
	} *parts;
	size_t part_count;
	__u32 *shares;			/* by suspect: the color of its control group; NULL: there are no parts */
	struct fxt_map share_colors;	/* of control groups */
};

/* Returns whether the victims are many threads of few names. */
bool fxt_matrix_crowd(const struct fxt_blame *blames, __u32 count);

/*
 * Sums the waits of the victims of all machines that a selection holds, after the machines' end.  One after the other can be made of the same
 * victims; one by thread is the last, as it adds to their sums.  0 or -ENOMEM; uninit in both cases.
 */
int fxt_matrix_init(struct fxt_matrix *matrix, struct fxt_blame *blames, __u32 count, enum fxt_report_by by,
		    const struct fxt_selection *selection, enum fxt_matrix_column sort);
void fxt_matrix_uninit(struct fxt_matrix *matrix);

/* Before and after victims are added.  0 or -ENOMEM. */
int fxt_matrix_parts_begin(struct fxt_matrix *matrix);
int fxt_matrix_parts_end(struct fxt_matrix *matrix);

/* Adds a victim's parts to its row, up to the end without their culprits.  0 or -ENOMEM. */
int fxt_matrix_parts_add(struct fxt_matrix *matrix, size_t row, const struct fxt_victim *victim);

void fxt_matrix_parts_uninit(struct fxt_matrix *matrix);

/* As fxt_report_common(), of a task of any of the machines. */
const void *fxt_matrix_common(const struct fxt_matrix *matrix, const struct fxt_task *task, const char **name,
			      int *err);

#endif
