/* SPDX-License-Identifier: GPL-2.0-only */
/* The screen of "fxtrec top": the visible part of a lap, and the settings that keys change. */
#ifndef FXT_SHOW_TOP_H
#define FXT_SHOW_TOP_H

#include "analyze/laps.h"
#include "analyze/reasons.h"
#include "analyze/report.h"

/* Figures of a row of locks: identifier, title, width, and the nanoseconds of the unit; 0: a count. */
#define FXT_TOP_LOCK_FIGURES(ROW)		\
	ROW(WAITS, "waits", 8, 0)		\
	ROW(TOTAL, "total ms", 11, 1e6)		\
	ROW(LONGEST, "max ms", 10, 1e6)		\
	ROW(MOST, "most", 5, 0)			\
	ROW(HANDOFFS, "handoffs", 9, 0)

#define FXT_TOP_LOCK_ENUM(id, ...)	FXT_TOP_LOCK_##id,
enum fxt_top_lock_figure {
	FXT_TOP_LOCK_FIGURES(FXT_TOP_LOCK_ENUM)
	FXT_TOP_LOCKS,
};

struct fxt_top_row {
	char *title;
	char *holders;			/* holders of a lock with their shares; NULL: a group of threads */
	__u64 value[FXT_COLUMNS];	/* value of each column, or of each enum fxt_top_lock_figure */
	bool latencies;			/* there are latencies */
};

struct fxt_top_rows {
	struct fxt_top_row *of;
	size_t count;
	unsigned int sort;		/* column, or figure, that the rows are sorted by */
};

struct fxt_top_cpu {
	__u32 id;
	__u64 busy, idle, unknown;	/* ns */
	__u64 waited;			/* ns that threads waited while another CPU was idle */
	__u64 runnable_max;
};

struct fxt_top {
	/* A copy of the last lap, as laps are released. */
	struct fxt_top_rows groups, locks;
	struct fxt_top_cpu *cpus;
	size_t cpu_count;
	enum fxt_report_by by_shown;
	__u64 from, to;
	__u64 lost, switches;
	bool reasons;			/* a sleep had a reason */
	char host[64];

	/* Settings of keys. */
	enum fxt_report_by by;		/* grouping of the next laps */
	bool by_lock;			/* rows of locks are shown, in place of groups */
	char filter[32];		/* a part of the title; "": no filter */
	bool editing;			/* the filter is being edited */
	bool paused, help, quit;
	bool write;			/* a file was requested; the caller resets it */
	size_t scroll;
	char message[128];		/* shown until the next key */
};

/* Copies the visible part of a lap, which has reasons, unless the screen is paused.  0 or -ENOMEM. */
int fxt_top_take(struct fxt_top *top, const struct fxt_report *report, const struct fxt_laps *laps,
		 const struct fxt_selection *selection);
void fxt_top_uninit(struct fxt_top *top);

/* Opens the screen.  0; -ENOSYS: this build has none; -ENOTTY: the terminal can't show it. */
int fxt_top_open(void);
void fxt_top_close(void);
void fxt_top_draw(struct fxt_top *top);

/* Returns the shown rows. */
static inline struct fxt_top_rows *fxt_top_rows(struct fxt_top *top)
{
	return top->by_lock ? &top->locks : &top->groups;
}

/* Draws the table from a line to the line before the screen's last, with as many columns as fit. */
void fxt_top_table_draw(struct fxt_top *top, int line);

/* Sorts by the next visible column, or by the previous one: step is 1 or -1. */
void fxt_top_sort(struct fxt_top *top, int step);

/* Handles all keys that were pressed. */
void fxt_top_keys(struct fxt_top *top);

#endif
