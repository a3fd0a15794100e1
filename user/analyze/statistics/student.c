// SPDX-License-Identifier: GPL-2.0-only
/* Computes Student's t distribution by the incomplete beta function. */
#include <math.h>

#include "analyze/statistics/student.h"

#define STEPS_MAX	300
#define PRECISION	1e-14
#define TINY		1e-300

static double nonzero(double value)
{
	return fabs(value) < TINY ? TINY : value;
}

/* Computes the continued fraction of the incomplete beta function, by Lentz's method. */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), product = d;
	int m;

	for (m = 1; m <= STEPS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step;

		d = 1 / nonzero(1 + even * d);
		c = nonzero(1 + even / c);
		product *= d * c;
		d = 1 / nonzero(1 + odd * d);
		c = nonzero(1 + odd / c);
		step = d * c;
		product *= step;
		if (fabs(step - 1) < PRECISION)
			break;
	}
	return product;
}

/* Computes the regularized incomplete beta function. */
static double beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * fraction(x, a, b) / a;
	return 1 - front * fraction(1 - x, b, a) / b;
}

double fxt_student_tail(double t, double freedom)
{
	double tail = beta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;

	return t > 0 ? tail : 1 - tail;
}

double fxt_student_quantile(double tail, double freedom)
{
	double low = 0, high = 1, middle;
	int i;

	while (fxt_student_tail(high, freedom) > tail && high < 1e9)
		high *= 2;
	for (i = 0; i < 60; i++) {
		middle = (low + high) / 2;
		if (fxt_student_tail(middle, freedom) > tail)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
