/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares two recordings, by names of threads. */
#ifndef FXT_ANALYZE_DIFF_H
#define FXT_ANALYZE_DIFF_H

#include "analyze/columns.h"
#include "analyze/figures.h"

/*
 * The compared figures: identifier, name, unit, index, quantile in 1/1000 (0: a rate), least share of a
 * change, and least amount (ns, or of a rate).
 * Share 0 stands for the user's value: bursts and marks are a program's own work.  All other figures depend on
 * the other threads and the time of running: two recordings of one workload differ in these figures by more than
 * either recording varies in itself.
 */
#define FXT_DIFF_FIGURES(ROW)							\
	ROW(RUN, "run", SHARE, FXT_AMOUNT_RUN, 0, 0.5, 2e7)			\
	ROW(SWITCHES, "switches", RATE, FXT_AMOUNT_SWITCHES, 0, 1, 100)		\
	ROW(BURST_P50, "burst.p50", NS, FXT_DURATION_BURST, 500, 0, 0)		\
	ROW(BURST_P90, "burst.p90", NS, FXT_DURATION_BURST, 900, 0.5, 0)	\
	ROW(BURST_P99, "burst.p99", NS, FXT_DURATION_BURST, 990, 0.5, 0)	\
	ROW(WAKEUP_P50, "wakeup.p50", NS, FXT_DURATION_WAKEUP, 500, 1, 1e6)	\
	ROW(WAKEUP_P90, "wakeup.p90", NS, FXT_DURATION_WAKEUP, 900, 1, 1e6)	\
	ROW(WAKEUP_P99, "wakeup.p99", NS, FXT_DURATION_WAKEUP, 990, 1, 1e6)	\
	ROW(PREEMPTED_P50, "preempted.p50", NS, FXT_DURATION_PREEMPTED, 500, 1, 1e6)	\
	ROW(PREEMPTED_P90, "preempted.p90", NS, FXT_DURATION_PREEMPTED, 900, 1, 1e6)	\
	ROW(PREEMPTED_P99, "preempted.p99", NS, FXT_DURATION_PREEMPTED, 990, 1, 1e6)	\
	ROW(SLEEP_P50, "sleep.p50", NS, FXT_DURATION_SLEEP, 500, 1, 1e6)	\
	ROW(SLEEP_P90, "sleep.p90", NS, FXT_DURATION_SLEEP, 900, 1, 1e6)	\
	ROW(BLOCKED_P50, "blocked.p50", NS, FXT_DURATION_BLOCKED, 500, 1, 1e6)	\
	ROW(BLOCKED_P90, "blocked.p90", NS, FXT_DURATION_BLOCKED, 900, 1, 1e6)	\
	ROW(BLOCKED_P99, "blocked.p99", NS, FXT_DURATION_BLOCKED, 990, 1, 1e6)	\
	ROW(MARK_P50, "mark.p50", NS, FXT_DURATION_MARK, 500, 0, 0)		\
	ROW(MARK_P90, "mark.p90", NS, FXT_DURATION_MARK, 900, 0.5, 0)		\
	ROW(MARK_P99, "mark.p99", NS, FXT_DURATION_MARK, 990, 0.5, 0)		\
	FXT_REPORT_CLASSES(FXT_DIFF_CLASS, ROW)					\
	FXT_DIFF_CLASS(ROW, STOPPED, "stopped")

/* A class of waits, with the name of its column in a report. */
#define FXT_DIFF_CLASS(ROW, id, text, ...)	ROW(id, text, SHARE, FXT_AMOUNT_OFF + FXT_WAIT_##id, 0, 1, 2e7)

#define FXT_DIFF_FIGURE_ENUM(id, name, unit, of, permille, share, amount)	FXT_FIGURE_##id,
enum fxt_figure {
	FXT_DIFF_FIGURES(FXT_DIFF_FIGURE_ENUM)
	FXT_FIGURES,
};

enum fxt_figure_unit {
	FXT_FIGURE_NS,
	FXT_FIGURE_RATE,	/* per second */
	FXT_FIGURE_SHARE,	/* ns per second: share of one CPU */
};

extern const char *const fxt_figure_names[];
extern const enum fxt_figure_unit fxt_figure_units[];

/* A figure of the threads, or the durations, with one name. */
struct fxt_difference {
	const char *name;
	bool mark;		/* figure of durations; else of threads */
	char only;		/* 'a', 'b': only that recording has events of the name; 0: both have */
	enum fxt_figure figure;
	__u64 run;		/* ns of the threads, or durations, in both recordings */
	struct fxt_shift shift;
};

struct fxt_diff {
	struct fxt_difference *differences;	/* changed ones first, by certainty; then the others by run */
	size_t count;
	size_t room;
	size_t changed;
	size_t names;		/* number of names in differences */
	size_t left_out;	/* names that are not compared, since one of the recordings left their threads out */
	char no_reasons;	/* 'a', 'b': that recording alone has no reasons of sleeps; 0: both have, or neither */
};

/*
 * Compares all figures.  least: least share of a change, more than 0.  Returns 0 or -ENOMEM;
 * the caller calls uninit in both cases.
 */
int fxt_diff_init(struct fxt_diff *diff, const struct fxt_figures *a, const struct fxt_figures *b, double least);
void fxt_diff_uninit(struct fxt_diff *diff);

#endif
