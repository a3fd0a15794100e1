/* SPDX-License-Identifier: GPL-2.0-only */
/* The screen of "fxtrec top", by ncurses: the visible part of a lap, and the settings that keys change. */
#ifndef FXT_SHOW_TOP_H
#define FXT_SHOW_TOP_H

#include "analyze/laps.h"
#include "analyze/report.h"

struct fxt_top_row {
	char *title;
	__u64 value[FXT_COLUMNS];
	bool latencies;			/* there are latencies */
};

struct fxt_top_cpu {
	__u32 id;
	__u64 busy, idle, unknown;	/* ns */
	__u64 waited;			/* ns that threads waited while another CPU was idle */
	__u64 runnable_max;
};

struct fxt_top {
	/* A copy of the last lap, as laps are released. */
	struct fxt_top_row *rows;
	size_t count;
	struct fxt_top_cpu *cpus;
	size_t cpu_count;
	enum fxt_report_by by_shown;
	__u64 from, to;
	__u64 lost, switches;
	bool reasons;			/* a sleep had a reason */
	char host[64];

	/* Settings of keys. */
	enum fxt_report_by by;		/* grouping of the next laps */
	enum fxt_report_column sort;
	char filter[32];		/* a part of the title; "": no filter */
	bool editing;			/* the filter is being edited */
	bool paused, help, quit;
	bool write;			/* a file was requested; the caller resets it */
	size_t scroll;
	char message[128];		/* shown until the next key */
};

/* Copies the visible part of a lap, unless the screen is paused.  0 or -ENOMEM. */
int fxt_top_take(struct fxt_top *top, const struct fxt_report *report, const struct fxt_laps *laps,
		 const struct fxt_selection *selection);
void fxt_top_uninit(struct fxt_top *top);

/* Opens the screen.  0; -ENOSYS: this build has none; -ENOTTY: the terminal can't show it. */
int fxt_top_open(void);
void fxt_top_close(void);
void fxt_top_draw(struct fxt_top *top);

/* Handles all keys that were pressed. */
void fxt_top_keys(struct fxt_top *top);

#endif
