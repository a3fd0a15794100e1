/* SPDX-License-Identifier: GPL-2.0-only */
/* Bounds of a change between runs of two versions of a program, as logarithms of ratios. */
#ifndef FXT_ANALYZE_GATE_BOUNDS_H
#define FXT_ANALYZE_GATE_BOUNDS_H

#include <stddef.h>

struct fxt_gate_bounds {
	double middle;
	double low, high;	/* infinite: no bound */
};

/*
 * Computes the bounds of the middle of differences that are symmetric around it, by the ranks of their sums.  risk:
 * likelihood of a true middle below low, and of one above high.  Returns 0 or -ENOMEM.
 */
int fxt_gate_bounds_pairs(struct fxt_gate_bounds *bounds, const double *differences, size_t count, double risk);

/* The values of a session's runs, and of the yardsticks beside them, in the order of time. */
struct fxt_gate_session {
	double *values, *yardsticks;
	size_t count;
};

/* Removes the part of the values that changes with the yardsticks within sessions.  Returns its slope, 0 to 1. */
double fxt_gate_sessions_adjust(const struct fxt_gate_session *sessions, size_t count);

/*
 * Computes the bounds of the change from the sessions of a baseline to another session.  Returns 0 or -ENOMEM.
 */
int fxt_gate_bounds_sessions(struct fxt_gate_bounds *bounds, const struct fxt_gate_session *baseline, size_t count,
			     const struct fxt_gate_session *now, double risk);

/* Computes the median; NAN without values.  Returns 0 or -ENOMEM. */
int fxt_gate_median(double *median, const double *values, size_t count);

#endif
