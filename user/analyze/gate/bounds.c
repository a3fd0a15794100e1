// SPDX-License-Identifier: GPL-2.0-only
/* Bounds of a change between runs: by signed ranks of pairs, or by the variance of and between sessions. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gate/bounds.h"
#include "analyze/statistics/student.h"

/* A session is cut into as many blocks: their medians show how the machine changed within it. */
#define BLOCKS		8u

/* Runs of a block at least. */
#define BLOCK_RUNS	4u

/* Sessions that show their variance by themselves. */
#define SESSIONS_LEAST	3u

/* Degrees of freedom of the normal distribution, nearly. */
#define FREEDOM_NORMAL	10000.0

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double middle_of(const double *sorted, size_t count)
{
	return count ? (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : NAN;
}

int fxt_gate_median(double *median, const double *values, size_t count)
{
	double *sorted = malloc((count + 1) * sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), ascending);
	*median = middle_of(sorted, count);
	free(sorted);
	return 0;
}

/* Returns the number of means of two differences that are below the lower bound: Wilcoxon's signed ranks. */
static double rank_of(double count, double risk)
{
	double z = fxt_student_quantile(risk, FREEDOM_NORMAL);

	return floor(count * (count + 1) / 4 - z * sqrt(count * (count + 1) * (2 * count + 1) / 24) - 0.5);
}

int fxt_gate_bounds_pairs(struct fxt_gate_bounds *b, const double *differences, size_t count, double risk)
{
	size_t i, j, means = 0, all = count * (count + 1) / 2;
	double *mean = malloc((all + 1) * sizeof(*mean)), rank = rank_of(count, risk);

	if (!mean)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		for (j = i; j < count; j++)
			mean[means++] = (differences[i] + differences[j]) / 2;
	qsort(mean, all, sizeof(*mean), ascending);
	*b = (struct fxt_gate_bounds){ middle_of(mean, all), -INFINITY, INFINITY };
	if (rank >= 1) {
		b->low = mean[(size_t)rank - 1];
		b->high = mean[all - (size_t)rank];
	}
	free(mean);
	return 0;
}

static double mean_of(const double *values, size_t count)
{
	double mean = 0;
	size_t i;

	for (i = 0; i < count; i++)
		mean += values[i] / count;
	return mean;
}

/* Returns the yardstick beside a run: the mean of those before and after it. */
static double beside(const struct fxt_gate_session *s, size_t i)
{
	return (s->yardsticks[i] + s->yardsticks[i + 1 < s->count ? i + 1 : i]) / 2;
}

/* The noise of the yardsticks makes the slope too small rather than too great. */
double fxt_gate_sessions_adjust(const struct fxt_gate_session *sessions, size_t count)
{
	double products = 0, squares = 0, slope;
	size_t i, j;

	for (i = 0; i < count; i++) {
		const struct fxt_gate_session *s = &sessions[i];
		double value = mean_of(s->values, s->count), yardstick = mean_of(s->yardsticks, s->count);

		for (j = 0; j < s->count; j++) {
			double off = beside(s, j) - yardstick;

			products += (s->values[j] - value) * off;
			squares += off * off;
		}
	}
	slope = squares > 0 ? fmin(fmax(products / squares, 0), 1) : 0;
	for (i = 0; i < count; i++)
		for (j = 0; j < sessions[i].count; j++)
			sessions[i].values[j] -= slope * beside(&sessions[i], j);
	return slope;
}

static double variance_of(const double *values, size_t count)
{
	double mean = mean_of(values, count), squares = 0;
	size_t i;

	for (i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return count > 1 ? squares / (count - 1) : INFINITY;
}

/* Computes a session's median and the variance of that, from the medians of its blocks. */
static int session_sum(const struct fxt_gate_session *s, double *median, double *variance)
{
	double blocks[BLOCKS];
	size_t i;
	int err = fxt_gate_median(median, s->values, s->count);

	for (i = 0; i < BLOCKS && !err; i++) {
		size_t from = i * s->count / BLOCKS, to = (i + 1) * s->count / BLOCKS;

		err = fxt_gate_median(&blocks[i], s->values + from, to - from);
	}
	*variance = s->count < BLOCK_RUNS * BLOCKS ? INFINITY : variance_of(blocks, BLOCKS) / BLOCKS;
	return err;
}

int fxt_gate_bounds_sessions(struct fxt_gate_bounds *b, const struct fxt_gate_session *baseline, size_t count,
			     const struct fxt_gate_session *now, double risk)
{
	double *medians = malloc((count + 1) * sizeof(*medians)), median, variance, within, of_one, mean = 0, width;
	size_t i;
	int err = medians ? session_sum(now, &median, &within) : -ENOMEM;

	for (i = 0; i < count && !err; i++) {
		err = session_sum(&baseline[i], &medians[i], &of_one);
		mean += medians[i] / count;
		within += of_one / count / count;
	}
	if (!err) {
		/* The present session varies as the sessions of the baseline do. */
		variance = count >= SESSIONS_LEAST ? variance_of(medians, count) * (1 + 1.0 / count) : 0;
		width = sqrt(fmax(variance, within)) *
			fxt_student_quantile(risk, variance > within ? count - 1 : 2 * (BLOCKS - 1));
		b->middle = median - mean;
		b->low = b->middle - width;
		b->high = b->middle + width;
	}
	free(medians);
	return err;
}
