// SPDX-License-Identifier: GPL-2.0-only
/* Compares a figure of two recordings: the change, and its confidence. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/statistics/shift.h"
#include "analyze/statistics/student.h"

/* Blocks are combined by two, four and eight, as an event that lasts longer than a block affects several. */
#define LEVELS		4u
#define COARSE		(FXT_BLOCKS >> (LEVELS - 1))

/* Degrees of freedom, of both recordings at the middle levels. */
#define FREEDOM		30.0
#define CONFIDENCE	0.95

/* All coarse blocks but one must have an event, and the recording at least EVENTS_LEAST. */
#define COARSE_LEAST	(COARSE - 1)
#define EVENTS_LEAST	50u

/* Greatest t that is tested: beyond it, a change is certain. */
#define T_MAX		100.0

int fxt_durations_add(struct fxt_durations *d, struct fxt_arena *memory, struct fxt_spill *spill,
		      unsigned int block, __u64 ns)
{
	if (!d->block[block])
		d->block[block] = fxt_arena_alloc(memory, sizeof(**d->block));
	if (!d->block[block])
		return -ENOMEM;
	d->count++;
	return fxt_histogram_add(d->block[block], spill, ns);
}

int fxt_durations_settle(struct fxt_durations *d, struct fxt_spill *spill)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < FXT_BLOCKS && !err; i++) {
		if (d->block[i])
			err = fxt_histogram_settle(d->block[i], spill);
	}
	return err;
}

/* Returns the variance of the mean of blocks: the greatest value for all sizes of blocks. */
static double mean_variance(const double *block)
{
	double sum[FXT_BLOCKS], greatest = 0, mean = 0;
	unsigned int i, level, count = FXT_BLOCKS;

	for (i = 0; i < count; i++) {
		sum[i] = block[i];
		mean += block[i] / FXT_BLOCKS;
	}
	for (level = 0; level < LEVELS; level++) {
		double squares = 0, variance;

		for (i = 0; i < count; i++)
			squares += (sum[i] - mean) * (sum[i] - mean);
		variance = squares / (count - 1) / count;
		if (variance > greatest)
			greatest = variance;
		count /= 2;
		for (i = 0; i < count; i++)
			sum[i] = (sum[2 * i] + sum[2 * i + 1]) / 2;
	}
	return greatest;
}

/* Returns whether nearly all times have an event. */
static bool is_steady(const __u64 *block, __u64 events)
{
	unsigned int i, j, some = 0;

	for (i = 0; i < COARSE; i++) {
		__u64 sum = 0;

		for (j = 0; j < FXT_BLOCKS / COARSE; j++)
			sum += block[i * (FXT_BLOCKS / COARSE) + j];
		some += sum != 0;
	}
	return some >= COARSE_LEAST && events >= EVENTS_LEAST;
}

/* Durations of a recording, prepared for quantiles. */
struct quantiles {
	struct fxt_histogram all;
	struct fxt_histogram_bucket *buckets;	/* buckets of all */
	double error;		/* standard error of the share of durations below the quantile */
};

static void quantiles_uninit(struct quantiles *q)
{
	free(q->buckets);
	fxt_histogram_uninit(&q->all, NULL);
}

static int quantiles_init(struct quantiles *q, const struct fxt_durations *d)
{
	unsigned int i;
	int err = 0;

	*q = (struct quantiles){ 0 };
	for (i = 0; i < FXT_BLOCKS && !err; i++) {
		if (!d->block[i])
			continue;
		err = fxt_histogram_merge(&q->all, NULL, d->block[i]);
	}
	if (!err && d->count)
		q->buckets = fxt_histogram_buckets(&q->all);
	return err || (d->count && !q->buckets) ? -ENOMEM : 0;
}

/*
 * Returns the duration that a share of all is below, interpolated in its bucket; 0 or infinity outside of all buckets.
 */
static double quantile(const struct quantiles *q, double share)
{
	double left = share * q->all.count;
	const struct fxt_histogram_bucket *b = q->buckets, *end = b + q->all.used;

	if (left <= 0)
		return 0;
	for (; b < end; b++) {
		if (left <= b->count)
			return b->lower + left / b->count * (b->upper + 1 - b->lower);
		left -= b->count;
	}
	return INFINITY;
}

/* Returns the number of durations below ns. */
static double below(const struct fxt_histogram_bucket *b, size_t count, double ns)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < count && b[i].lower < ns; i++)
		sum += b[i].upper < ns ? b[i].count : b[i].count * (ns - b[i].lower) / (b[i].upper + 1 - b[i].lower);
	return sum;
}

/*
 * Computes the factor between the variance of the share below a quantile and its variance
 * with independent durations; at least 1.
 */
static int design_effect(const struct fxt_durations *d, const struct quantiles *q, double share, double *effect)
{
	double ns = quantile(q, share), residual[FXT_BLOCKS] = { 0 };
	unsigned int i;

	for (i = 0; i < FXT_BLOCKS; i++) {
		struct fxt_histogram_bucket *b;

		if (!d->block[i])
			continue;
		b = fxt_histogram_buckets(d->block[i]);
		if (!b)
			return -ENOMEM;
		residual[i] = (below(b, d->block[i]->used, ns) - share * d->block[i]->count) / d->count * FXT_BLOCKS;
		free(b);
	}
	*effect = fmax(1, mean_variance(residual) / (share * (1 - share) / d->count));
	return 0;
}

/* Returns a bound of the ratio of b's quantile to a's, t standard errors away; up: the upper bound. */
static double ratio_bound(const struct quantiles *a, const struct quantiles *b, double share, double t, bool up)
{
	double sign = up ? 1 : -1, ln_a = log(quantile(a, share)), ln_b = log(quantile(b, share));
	double far_a = log(quantile(a, share - sign * t * a->error)) - ln_a;
	double far_b = log(quantile(b, share + sign * t * b->error)) - ln_b;

	return exp(ln_b - ln_a + sign * hypot(far_a, far_b));
}

/* Returns the likelihood of a ratio as far from 1 as this one, if the true ratio is within the limit. */
static double ratio_likelihood(const struct quantiles *a, const struct quantiles *b, double share, double limit)
{
	double ratio = quantile(b, share) / quantile(a, share), low = 0, high = T_MAX;
	bool up = ratio > 1;
	int i;

	if (up ? ratio <= 1 + limit : ratio >= 1 / (1 + limit))
		return 1;
	for (i = 0; i < 40; i++) {
		double t = (low + high) / 2, bound = ratio_bound(a, b, share, t, !up);

		if (up ? bound > 1 + limit : bound < 1 / (1 + limit))
			low = t;
		else
			high = t;
	}
	return fxt_student_tail(low, FREEDOM);
}

static int shift_of(struct fxt_shift *s, const struct fxt_durations *a, const struct fxt_durations *b,
		    struct quantiles *in_a, struct quantiles *in_b, double share, const struct fxt_margin *margin)
{
	double effect_a, effect_b, effect, t = fxt_student_quantile((1 - CONFIDENCE) / 2, FREEDOM);
	int err = design_effect(a, in_a, share, &effect_a);

	if (!err)
		err = design_effect(b, in_b, share, &effect_b);
	if (err)
		return err;
	effect = share * (1 - share) * fmax(effect_a, effect_b);
	in_a->error = sqrt(effect / a->count);
	in_b->error = sqrt(effect / b->count);
	s->change = s->b / s->a - 1;
	s->low = ratio_bound(in_a, in_b, share, t, false) - 1;
	s->high = ratio_bound(in_a, in_b, share, t, true) - 1;
	/* A quantile with too few durations beyond it has no bounds, so a change of it can't be shown. */
	s->tested = s->low > -1 && isfinite(s->high);
	if (s->tested)
		s->p = ratio_likelihood(in_a, in_b, share,
					fmax(margin->share, margin->amount / fmin(s->a, s->b)));
	return 0;
}

static bool durations_are_steady(const struct fxt_durations *d)
{
	__u64 counts[FXT_BLOCKS];
	unsigned int i;

	for (i = 0; i < FXT_BLOCKS; i++)
		counts[i] = d->block[i] ? d->block[i]->count : 0;
	return is_steady(counts, d->count);
}

int fxt_shift_quantile(struct fxt_shift *s, const struct fxt_durations *a, const struct fxt_durations *b,
		       unsigned int permille, const struct fxt_margin *margin)
{
	struct quantiles in_a, in_b;
	double share = permille / 1e3;
	int err, err_b;

	*s = (struct fxt_shift){ .p = 1, .weight = 1 };
	err = quantiles_init(&in_a, a);
	err_b = quantiles_init(&in_b, b);
	err = err ? err : err_b;
	if (!err) {
		s->a = a->count ? quantile(&in_a, share) : 0;
		s->b = b->count ? quantile(&in_b, share) : 0;
	}
	if (!err && durations_are_steady(a) && durations_are_steady(b))
		err = shift_of(s, a, b, &in_a, &in_b, share, margin);
	quantiles_uninit(&in_a);
	quantiles_uninit(&in_b);
	return err;
}

/* Computes the mean of an amount's blocks.  Returns its variance as a share of the squared mean. */
static double relative_variance(const struct fxt_amounts *amounts, double *mean)
{
	double block[FXT_BLOCKS], variance;
	unsigned int i;

	*mean = 0;
	for (i = 0; i < FXT_BLOCKS; i++) {
		block[i] = amounts->block[i];
		*mean += block[i] / FXT_BLOCKS;
	}
	if (!*mean)
		return 0;
	/* The variance is at least that of as many independent events of equal size. */
	variance = mean_variance(block) / (*mean * *mean);
	return fmax(variance, 1.0 / (amounts->events ? amounts->events : 1));
}

/*
 * Sets the bounds of the change of the means, t standard errors away, by Fieller's method;
 * variance: relative, the same for both.
 */
static void rate_bounds(struct fxt_shift *s, double variance, double t)
{
	double rest = 1 - t * t * variance, ratio = s->b / s->a, root;

	s->low = -1;
	s->high = INFINITY;
	if (rest <= 0 || !s->a)
		return;
	root = sqrt(1 - rest * rest);
	s->low = ratio * (1 - root) / rest - 1;
	s->high = ratio * (1 + root) / rest - 1;
}

void fxt_shift_rate(struct fxt_shift *s, const struct fxt_amounts *a, __u64 a_ns,
		    const struct fxt_amounts *b, __u64 b_ns, const struct fxt_margin *margin)
{
	double mean_a, mean_b, variance_a = relative_variance(a, &mean_a), variance_b = relative_variance(b, &mean_b);
	double variance = fmax(variance_a, variance_b), beyond;

	*s = (struct fxt_shift){ .p = 1, .weight = 1 };
	s->a = a_ns ? mean_a * FXT_BLOCKS * 1e9 / a_ns : 0;
	s->b = b_ns ? mean_b * FXT_BLOCKS * 1e9 / b_ns : 0;
	if (!is_steady(a->block, a->events) && !is_steady(b->block, b->events))
		return;
	s->change = s->a ? s->b / s->a - 1 : INFINITY;
	rate_bounds(s, variance, fxt_student_quantile((1 - CONFIDENCE) / 2, FREEDOM));
	beyond = fabs(s->b - s->a) - fmax(margin->amount, margin->share * fmin(s->a, s->b));
	if (beyond > 0)
		s->p = fxt_student_tail(beyond / sqrt(variance * (s->a * s->a + s->b * s->b)), FREEDOM);
	s->tested = true;
}

static int less_likely(const void *a, const void *b)
{
	const struct fxt_shift *const *x = a, *const *y = b;

	double p = (*x)->p / (*x)->weight, other = (*y)->p / (*y)->weight;

	return (p > other) - (p < other);
}

int fxt_shifts_judge(struct fxt_shift *const *shifts, size_t count, double risk)
{
	struct fxt_shift **sorted = malloc((count + 1) * sizeof(*sorted));
	size_t i, tests = 0;
	double left = 0;

	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		if (!shifts[i]->tested)
			continue;
		left += shifts[i]->weight;
		sorted[tests++] = shifts[i];
	}
	qsort(sorted, tests, sizeof(*sorted), less_likely);
	for (i = 0; i < tests && sorted[i]->p * left < risk * sorted[i]->weight; i++) {
		sorted[i]->changed = true;
		left -= sorted[i]->weight;
	}
	free(sorted);
	return 0;
}
