/* SPDX-License-Identifier: GPL-2.0-only */
/* Student's t distribution. */
#ifndef FXT_ANALYZE_STATISTICS_STUDENT_H
#define FXT_ANALYZE_STATISTICS_STUDENT_H

/* How likely a value above t is, with that many degrees of freedom, more than 0. */
double fxt_student_tail(double t, double freedom);

/* The t that a value is above with that likelihood, more than 0 and below 1/2. */
double fxt_student_quantile(double tail, double freedom);

#endif
