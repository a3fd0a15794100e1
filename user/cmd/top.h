/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared declarations of the parts of "fxtrec top": options, and the shown data of a lap. */
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
	__u64 times;		/* number of laps; 0: all */
	bool batch;
	/* Options of the recorder; NULL: its default. */
	const char *backend, *clock, *buffer;
	const char *address;	/* address that a scraper connects to; NULL: none */
	const char *output;	/* file to keep the recording in; NULL: it isn't kept */
};

static inline bool top_has_screen(const struct top_options *o)
{
	return !o->batch && !o->address;
}

/* Returns whether laps have sums of locks. */
static inline bool top_has_locks(const struct top_options *o)
{
	return top_has_screen(o) || o->by == FXT_BY_LOCK;
}

struct fxt_live;

struct top {
	const struct top_options *options;
	struct fxt_laps laps;
	struct fxt_reasons reasons;	/* locks of each lap, if they are shown */
	const char *file;	/* name of the file or machine that laps belong to */
	__u64 shown;		/* number of laps */
	bool rows;		/* one of the laps had a row */
	struct fxt_top screen;
	struct fxt_live *live;	/* recording that w writes; NULL: a replay of files */
	unsigned int written;	/* number of files that w wrote */
	struct fxt_metrics metrics;
	void *server;		/* server of --prometheus; NULL: none */
};

/* Starts the laps of a machine, which wait for later facts up to a number of laps. */
void top_laps_init(struct top *top, struct fxt_machine *m, unsigned int patience);
void top_laps_uninit(struct top *top);

/* Starts to answer scrapers at the options' address.  FXT_DONE, or the result of a reported error. */
int top_serve_open(struct top *top);
void top_serve_close(struct top *top);

/* Returns a descriptor that is readable when there is something to answer; -1: none. */
int top_serve_fd(struct top *top);
void top_serve_run(struct top *top);

/* Returns whether a text is an address and a port. */
bool top_serve_address(const char *address);

/* Opens the screen, which shows laps on the terminal.  0, or -errno as fxt_top_open(). */
int top_screen_open(struct top *top);
void top_screen_close(struct top *top);

/* Keeps the screen after a replay's last lap, until a key ends it. */
void top_screen_hold(struct top *top);

/* Handles keys; returns 1 to end. */
int top_screen_keys(struct top *top);

/* Shows laps of this machine until the user ends it.  Returns an exit status. */
int top_live(struct top *top);

#endif
