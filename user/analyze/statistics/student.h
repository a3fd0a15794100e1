/* SPDX-License-Identifier: GPL-2.0-only */
/* Computes Student's t distribution. */
#ifndef FXT_ANALYZE_STATISTICS_STUDENT_H
#define FXT_ANALYZE_STATISTICS_STUDENT_H

/* Returns the likelihood of a value above t; the degrees of freedom are more than 0. */
double fxt_student_tail(double t, double freedom);

/* Returns the t that a value exceeds with that likelihood, which is more than 0 and below 1/2. */
double fxt_student_quantile(double tail, double freedom);

#endif
