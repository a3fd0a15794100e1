/* SPDX-License-Identifier: GPL-2.0-only */
/* The screen of "fxtrec top": what is shown of a lap, and what keys change.  By ncurses. */
#ifndef FXT_SHOW_TOP_H
#define FXT_SHOW_TOP_H

#include "analyze/laps.h"
#include "analyze/report.h"

struct fxt_top_row {
	char *title;
	__u64 value[FXT_COLUMNS];
	bool latencies;			/* there are any */
};

struct fxt_top_cpu {
	__u32 id;
	__u64 busy, idle, unknown;	/* ns */
	__u64 waited;			/* ns while another CPU was idle */
	__u64 runnable_max;
};

struct fxt_top {
	/* Of the last lap: a copy, as laps are given back. */
	struct fxt_top_row *rows;
	size_t count;
	struct fxt_top_cpu *cpus;
	size_t cpu_count;
	enum fxt_report_by by_shown;
	__u64 from, to;
	__u64 lost, switches;
	char host[64];

	/* What keys set. */
	enum fxt_report_by by;		/* of the laps that come */
	enum fxt_report_column sort;
	char filter[32];		/* a part of the title; "": all */
	bool editing;			/* the filter */
	bool paused, help, quit;
	bool write;			/* was asked for; the caller resets it */
	size_t scroll;
	char message[128];		/* until the next key */
};

/* Copies what is shown of a lap, unless it is paused.  0 or -ENOMEM. */
int fxt_top_take(struct fxt_top *top, const struct fxt_report *report, const struct fxt_laps *laps,
		 const struct fxt_selection *selection);
void fxt_top_uninit(struct fxt_top *top);

/* Whether this build has a screen, and the terminal can show it: 0, -ENOSYS, -ENOTTY. */
int fxt_top_open(void);
void fxt_top_close(void);
void fxt_top_draw(struct fxt_top *top);

/* Acts on all keys that were pressed. */
void fxt_top_keys(struct fxt_top *top);

#endif
