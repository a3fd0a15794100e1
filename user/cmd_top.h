/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of "fxtrec top" share: options, and what is shown of a lap. */
#ifndef FXT_CMD_TOP_H
#define FXT_CMD_TOP_H

#include "analyze/laps.h"
#include "analyze/report.h"
#include "cmd_analyze.h"
#include "show/top.h"

struct top_options {
	struct analyze_options common;
	enum fxt_report_by by;
	enum fxt_report_column sort;
	__u64 interval;		/* ns */
	__u64 times;		/* laps; 0: all */
	bool batch;
	/* Of the recorder; NULL: as it likes. */
	const char *backend, *clock, *buffer;
	const char *output;	/* the recording is kept there; NULL: it isn't */
};

struct fxt_live;

struct top {
	const struct top_options *options;
	struct fxt_laps laps;
	const char *file;	/* what a lap is of, by its name */
	__u64 shown;		/* laps */
	struct fxt_top screen;
	struct fxt_live *live;	/* what w writes; NULL: of files */
	unsigned int written;	/* files, by w */
};

/* Shows laps on the terminal.  0, or -errno as fxt_top_open(). */
int top_screen_open(struct top *top);
void top_screen_close(struct top *top);

/* After a replay's last lap: it stays until a key ends it. */
void top_screen_hold(struct top *top);

/* Acts on keys; 1: to end. */
int top_screen_keys(struct top *top);

/* Shows laps of the machine that it runs on, until it is ended.  An exit status. */
int top_live(struct top *top);

#endif
