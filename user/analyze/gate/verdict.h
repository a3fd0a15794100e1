/* SPDX-License-Identifier: GPL-2.0-only */
/* Judges the runs of a program against those of a baseline: Documentation/analysis.rst, "Gate". */
#ifndef FXT_ANALYZE_GATE_VERDICT_H
#define FXT_ANALYZE_GATE_VERDICT_H

#include <stdbool.h>

#include "analyze/gate/run.h"

/* The runs of one gate are judged at most LOOKS times, at these sixteenths of its time: the risk is shared by them. */
#define FXT_GATE_LOOKS		4u
#define FXT_GATE_WHOLE		16u
extern const unsigned int fxt_gate_looks[];

/* Answers: identifier, name in outputs. */
#define FXT_GATE_ANSWERS(ROW)							\
	ROW(MEASURED, "measured")	/* there is no baseline */		\
	ROW(SAME, "same")		/* surely not slower by the limit */	\
	ROW(UNSURE, "unsure")		/* slower by the limit or not */	\
	ROW(SLOWER, "slower")		/* surely slower by the limit */	\
	ROW(INVALID, "invalid")		/* the machine disturbed the runs */

#define FXT_GATE_ANSWER_ENUM(id, name)	FXT_GATE_##id,
enum fxt_gate_answer {
	FXT_GATE_ANSWERS(FXT_GATE_ANSWER_ENUM)
};

extern const char *const fxt_gate_answers[];

struct fxt_gate_limits {
	double slower;		/* ratio: 0.02 is 2 % */
	double foreign;		/* greatest foreign share of a run that counts */
};

/* Change of a figure; ratios: 0.05 is 5 %. */
struct fxt_gate_change {
	bool known;		/* all runs that count have the figure */
	double change, low, high;	/* low, high: infinite: no bound */
};

struct fxt_gate_verdict {
	enum fxt_gate_answer answer;
	enum fxt_gate_figure figure;	/* figure of the answer: the slowest */
	bool paired;
	struct fxt_gate_change changes[FXT_GATE_OWN + 1];
	double a[FXT_GATE_FIGURE_COUNT], b[FXT_GATE_FIGURE_COUNT];	/* medians; a: of the baseline, or NAN */
	double foreign_a, foreign_b;	/* medians of the foreign parts, in ns */
	double share;			/* median foreign share of all runs, including those left out */
	size_t runs;			/* runs, or pairs of runs */
	size_t disturbed;		/* those beyond the limit of the foreign share */
	size_t unknown;			/* those with losses */
	double allowance;		/* greatest change that the machine may have caused beyond the adjustment */
	double speed;			/* ratio of the yardsticks' times, less 1; 0 in pairs */
};

/*
 * Judges runs.  paired: the baseline is one list, and its runs took turns with the others.  look: number of the look;
 * after the last one, the answer is final.  Returns 0 or -ENOMEM.
 */
int fxt_gate_judge(struct fxt_gate_verdict *verdict, const struct fxt_gate_runs *baseline, size_t sessions, bool paired,
		   const struct fxt_gate_runs *now, const struct fxt_gate_limits *limits, unsigned int look);

#endif
