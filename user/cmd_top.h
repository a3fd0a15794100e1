/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of "fxtrec top" share: options, and what is shown of a lap. */
#ifndef FXT_CMD_TOP_H
#define FXT_CMD_TOP_H

#include "analyze/laps.h"
#include "analyze/report.h"
#include "cmd_analyze.h"

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

struct top {
	const struct top_options *options;
	struct fxt_laps laps;
	const char *file;	/* what a lap is of, by its name */
	__u64 shown;		/* laps */
};

/* Shows laps of the machine that it runs on, until it is ended.  An exit status. */
int top_live(struct top *top);

#endif
