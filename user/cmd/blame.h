/* SPDX-License-Identifier: GPL-2.0-only */
/* fxtrec blame: its options, and its part for sleeps. */
#ifndef FXT_CMD_BLAME_H
#define FXT_CMD_BLAME_H

#include "analyze/blame/matrix.h"
#include "analyze/sleeps.h"
#include "cmd/analyze.h"

struct blame_options {
	struct analyze_options common;
	enum fxt_report_by by;
	bool by_given;
	bool cpu;		/* only waits for a CPU */
	bool sleep;		/* sleeps instead of waits for a CPU */
	enum fxt_matrix_column sort;
	enum fxt_sleep_column sleep_sort;
	__u64 over;		/* ns; 0: list the longest waits */
};

/* Reads the rest of an open analysis, and prints the sums of sleeps.  FXT_DONE, or the result of a reported error. */
int blame_sleep(const struct blame_options *options, struct analysis *analysis);

#endif
