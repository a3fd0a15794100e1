/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks assertions about a report's figures, such as "wakeup.p99{comm=nginx} < 200us". */
#ifndef FXT_ANALYZE_ASSERTION_H
#define FXT_ANALYZE_ASSERTION_H

#include "analyze/accounts.h"
#include "analyze/selection.h"
#include "util/error.h"

enum fxt_relation {
	FXT_RELATION_LESS,
	FXT_RELATION_AT_MOST,
	FXT_RELATION_MORE,
	FXT_RELATION_AT_LEAST,
	FXT_RELATION_EQUAL,
	FXT_RELATION_OTHER,
};

struct fxt_assertion {
	const char *text;		/* text of the assertion, as given */
	unsigned int figure;		/* number of a histogram or a column: assertion.c */
	unsigned int ppm;		/* quantile in millionths */
	struct fxt_selection selection;
	enum fxt_relation relation;
	enum fxt_assertion_unit {
		FXT_ASSERTION_NUMBER,	/* ns or a count, as the figure */
		FXT_ASSERTION_SHARE,	/* share of the window */
		FXT_ASSERTION_RATE,	/* rate per second */
	} unit;
	double value;
};

/*
 * Parses FIGURE[{KEY=GLOB,...}] RELATION VALUE.  FIGURE: wakeup, preempted or lock with .p50, .p99.9,
 * .max, .mean or .count; a column of a report.  KEY: comm, cgroup, pid, tid.  RELATION: < <= > >= ==
 * !=.  VALUE: 200us, or 5 % of the window; 100, or 100/s.  Returns 0, or -errno with the error set,
 * which doesn't repeat the text; the caller calls uninit in all cases.  The text must stay valid.
 */
int fxt_assertion_parse(struct fxt_assertion *assertion, const char *text, struct fxt_error *error);
void fxt_assertion_uninit(struct fxt_assertion *assertion);

struct fxt_assertion_result {
	bool known;		/* there were such threads, and waits; else the assertion doesn't hold */
	bool holds;
	bool hidden;		/* holds for the known time, but may not hold for the unknown time */
	double value;		/* value in the assertion's unit */
	bool is_time;		/* value is in ns */
};

/*
 * Checks an assertion, after the machine's end, for all threads that it and a selection choose.  Returns 0 or -ENOMEM.
 */
int fxt_assertion_check(const struct fxt_assertion *assertion, const struct fxt_accounts *accounts, __u32 count,
			const struct fxt_selection *selection, struct fxt_assertion_result *result);

/* Returns whether lost events can't make a fulfilled assertion false: a sum or a maximum can only grow. */
bool fxt_assertion_certain(const struct fxt_assertion *assertion);

#endif
