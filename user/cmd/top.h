/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of "fxtrec top" share: options, and what is shown of a lap. */
#ifndef FXT_CMD_TOP_H
#define FXT_CMD_TOP_H

#include "analyze/laps.h"
#include "analyze/report.h"
#include "cmd/analyze.h"
#include "show/metrics.h"
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
	const char *address;	/* that a scraper asks; NULL: none */
	const char *output;	/* the recording is kept there; NULL: it isn't */
};

static inline bool top_has_screen(const struct top_options *o)
{
	return !o->batch && !o->address;
}

struct fxt_live;

struct top {
	const struct top_options *options;
	struct fxt_laps laps;
	const char *file;	/* what a lap is of, by its name */
	__u64 shown;		/* laps */
	bool rows;		/* one of them had a row */
	struct fxt_top screen;
	struct fxt_live *live;	/* what w writes; NULL: of files */
	unsigned int written;	/* files, by w */
	struct fxt_metrics metrics;
	void *server;		/* of --prometheus; NULL: there is none */
};

/* Answers a scraper at the options' address.  FXT_DONE, or what was reported. */
int top_serve_open(struct top *top);
void top_serve_close(struct top *top);

/* A descriptor that can be read when there is something to answer; -1: none. */
int top_serve_fd(struct top *top);
void top_serve_run(struct top *top);

/* Whether it is an address and a port. */
bool top_serve_address(const char *address);

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
