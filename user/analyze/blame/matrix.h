/* SPDX-License-Identifier: GPL-2.0-only */
/* Victims and culprits, each by thread, or summed by process, name or control group. */
#ifndef FXT_ANALYZE_MATRIX_H
#define FXT_ANALYZE_MATRIX_H

#include "analyze/blame/blame.h"
#include "analyze/report.h"

/* ns of waits for threads of the victim's control group, of others, and with an unknown group on either side. */
struct fxt_matrix_share {
	__u64 own, foreign, unknown;
};

/* Figures of a row: identifier, name for --sort, expression of a row r. */
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

extern const char *const fxt_matrix_column_names[];	/* ended by NULL */

struct fxt_matrix_row {
	const struct fxt_task *task;	/* a victim of the row */
	__u64 key;			/* key of the thread */
	const char *name;		/* name of the group; NULL: not known */
	__u64 wait;			/* ns of all waits */
	__u64 waits;
	__u64 longest, longest_from;	/* ns, length and start of the longest wait */
	__u64 longest_key;		/* key of its thread */
	__u64 order;			/* value of the column that rows are sorted by */
	struct fxt_matrix_share share;	/* shares of wait */
	struct fxt_culprits *culprits;	/* culprits by suspect; a group counts as the first of its threads */
	struct fxt_blame_part *parts;	/* parts in one list, with culprits that aren't in culprits yet */
};

struct fxt_matrix {
	struct fxt_blame *blames;	/* blames of all machines */
	__u32 blame_count;
	struct fxt_suspects *suspects;	/* suspects of all machines */
	struct fxt_spill *spill;
	enum fxt_report_by by;
	struct fxt_matrix_row *rows;	/* sorted, the greatest first */
	size_t count;
	__u64 wait;			/* ns of all rows */
	struct fxt_matrix_share share;
	struct fxt_culprits all;	/* culprits of all rows */
	__u32 *same;			/* by suspect: the first of the same group */
	struct fxt_map groups;		/* sums of rows */
	struct fxt_matrix_part {
		struct fxt_blame_part *part;	/* part of a victim of the row */
		struct fxt_blame_part *next;	/* next part of the victim, saved while the part is in a row's list */
		const struct fxt_blame_queue *queue;
		size_t row;
	} *parts;
	size_t part_count;
	__u32 *shares;			/* by suspect: color of its control group; NULL: there are no parts */
	struct fxt_map share_colors;	/* colors by control group */
};

/* Returns whether the victims are many threads with few names. */
bool fxt_matrix_crowd(const struct fxt_blame *blames, __u32 count);

/*
 * Sums the waits of the victims of all machines, after the machines' end, as far as a selection holds
 * them.  Several matrices can be made of the same victims, one after the other; a matrix by thread must be
 * the last, as it adds to the victims' sums.  Returns 0 or -ENOMEM; the caller calls uninit in both cases.
 */
int fxt_matrix_init(struct fxt_matrix *matrix, struct fxt_blame *blames, __u32 count, enum fxt_report_by by,
		    const struct fxt_selection *selection, enum fxt_matrix_column sort);
void fxt_matrix_uninit(struct fxt_matrix *matrix);

/* Start and end adding victims.  Return 0 or -ENOMEM. */
int fxt_matrix_parts_begin(struct fxt_matrix *matrix);
int fxt_matrix_parts_end(struct fxt_matrix *matrix);

/* Adds a victim's parts to its row, without their culprits until the end.  Returns 0 or -ENOMEM. */
int fxt_matrix_parts_add(struct fxt_matrix *matrix, size_t row, const struct fxt_victim *victim);

void fxt_matrix_parts_uninit(struct fxt_matrix *matrix);

/* Returns fxt_report_common() of a task of any of the machines. */
const void *fxt_matrix_common(const struct fxt_matrix *matrix, const struct fxt_task *task, const char **name,
			      int *err);

#endif
