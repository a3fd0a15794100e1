/* SPDX-License-Identifier: GPL-2.0-only */
/* What a report's figures have to be: "wakeup.p99{comm=nginx} < 200us". */
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
	const char *text;		/* as it was given */
	unsigned int figure;		/* of assertion.c's table */
	unsigned int ppm;		/* of a quantile, in millionths */
	struct fxt_selection selection;
	enum fxt_relation relation;
	enum fxt_assertion_unit {
		FXT_ASSERTION_NUMBER,	/* as the figure: ns, or a count */
		FXT_ASSERTION_SHARE,	/* of the window */
		FXT_ASSERTION_RATE,	/* in a second */
	} unit;
	double value;
};

/*
 * FIGURE[{KEY=GLOB,...}] RELATION VALUE.  FIGURE: wakeup or preempted with .p50, .p99.9, .max, .mean or
 * .count; run, wait_wakeup, wait_preempted, sleep, blocked, stopped, unknown; switches, preemptions,
 * wakeups, migrations.  KEY: comm, cgroup, pid, tid.  RELATION: < <= > >= == !=.  VALUE: 200us, or 5 %
 * of the window; 100, or 100/s.  0 or -errno with the error set, which doesn't repeat the text; uninit in all cases.
 * The text has to stay.
 */
int fxt_assertion_parse(struct fxt_assertion *assertion, const char *text, struct fxt_error *error);
void fxt_assertion_uninit(struct fxt_assertion *assertion);

struct fxt_assertion_result {
	bool known;		/* there were such threads, and waits; else it doesn't hold */
	bool holds;
	bool hidden;		/* it holds for what is known, and may not for what isn't */
	double value;		/* in the assertion's unit */
	bool is_time;		/* value is ns */
};

/* After the machine's end: of all threads that it and a selection hold.  0 or -ENOMEM. */
int fxt_assertion_check(const struct fxt_assertion *assertion, const struct fxt_accounts *accounts, __u32 count,
			const struct fxt_selection *selection, struct fxt_assertion_result *result);

/* Whether one that holds can't be made untrue by events that were lost: a sum or a maximum is that at least. */
bool fxt_assertion_certain(const struct fxt_assertion *assertion);

#endif
