// SPDX-License-Identifier: GPL-2.0-only
/* Compares two recordings. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/diff.h"

/* Likelihood that any figure of work, or any other figure, is marked if nothing changed. */
#define RISK_WORK	0.01
#define RISK_OTHERS	0.002

#define LOWER_PERMILLE	250

/* Limit of p for the median to confirm a change of the lower quartile. */
#define CONFIRMED	0.05

/* Least cost of more work, in ns per second: a cold cache costs a thread that hardly runs as much. */
#define WORK_COST	2e5

#define FIGURE_NAME(id, name, unit, of, permille, share, amount)	name,
#define FIGURE_UNIT(id, name, unit, of, permille, share, amount)	FXT_FIGURE_##unit,
#define FIGURE_ROW(id, name, unit, of, permille, share, amount)	{ of, permille, share, amount },

const char *const fxt_figure_names[] = { FXT_DIFF_FIGURES(FIGURE_NAME) };
const enum fxt_figure_unit fxt_figure_units[] = { FXT_DIFF_FIGURES(FIGURE_UNIT) };

static const struct {
	unsigned int of, permille;
	double share, amount;
} rows[] = { FXT_DIFF_FIGURES(FIGURE_ROW) };

/* Returns whether a figure is the time in a class of waits, which only reasons of sleeps show. */
static bool needs_reasons(enum fxt_figure figure)
{
	return !rows[figure].permille && rows[figure].of >= FXT_AMOUNT_OFF;
}

static bool is_work(enum fxt_figure figure)
{
	return !rows[figure].share;
}

/*
 * Requires that the lower quartile changed as well as the median.  Interruptions and temporary slowness lengthen some
 * bursts, so the shorter ones are more certain; but the quartile, like the median, may be between two kinds of bursts.
 */
static int work_confirm(struct fxt_shift *shift, const struct fxt_durations *a, const struct fxt_durations *b,
			const struct fxt_margin *margin)
{
	struct fxt_shift lower;
	int err = fxt_shift_quantile(&lower, a, b, LOWER_PERMILLE, margin);

	if (err)
		return err;
	if (!lower.tested || (lower.change > 0) != (shift->change > 0) || shift->p > CONFIRMED)
		shift->p = 1;
	else
		shift->p = lower.p;
	return 0;
}

/* Returns the ns per burst that correspond to WORK_COST. */
static double work_amount(const struct fxt_durations *a, __u64 a_ns, const struct fxt_durations *b, __u64 b_ns)
{
	double count = (double)a->count + b->count, ns = (double)a_ns + b_ns;

	return count ? WORK_COST / 1e9 * ns / count : 0;
}

static int figure_compare(struct fxt_shift *shift, enum fxt_figure figure, const struct fxt_figures *in_a,
			  const struct fxt_named *a, const struct fxt_figures *in_b,
			  const struct fxt_named *b, double least)
{
	struct fxt_margin margin = { rows[figure].share > least ? rows[figure].share : least, rows[figure].amount };
	unsigned int of = rows[figure].of;
	int err;

	if (is_work(figure))
		margin.amount = work_amount(&a->durations[of], in_a->ns, &b->durations[of], in_b->ns);

	if (!rows[figure].permille) {
		fxt_shift_rate(shift, &a->amounts[of], in_a->ns, &b->amounts[of], in_b->ns, &margin);
		return 0;
	}
	err = fxt_shift_quantile(shift, &a->durations[of], &b->durations[of], rows[figure].permille, &margin);
	if (!err && shift->tested && is_work(figure))
		err = work_confirm(shift, &a->durations[of], &b->durations[of], &margin);
	return err;
}

/* Stands for a name that a recording doesn't have. */
static const struct fxt_named none;

/* Adds the figures that can be tested. */
static int name_compare(struct fxt_diff *d, const struct fxt_figures *in_a, const struct fxt_named *a,
			const struct fxt_figures *in_b, const struct fxt_named *b, double least)
{
	const struct fxt_named *present = a != &none ? a : b;
	size_t before = d->count;
	unsigned int i;
	int err;

	if (!present->mark && (fxt_figures_left_out(in_a, a) || fxt_figures_left_out(in_b, b))) {
		d->left_out++;
		return 0;
	}
	for (i = 0; i < FXT_FIGURES; i++) {
		struct fxt_difference *next = &d->differences[d->count];

		if (needs_reasons(i) && !(in_a->reasons && in_b->reasons))
			continue;
		err = figure_compare(&next->shift, i, in_a, a, in_b, b, least);
		if (err)
			return err;
		if (!next->shift.tested)
			continue;
		next->name = present->name;
		next->mark = present->mark;
		next->only = b == &none ? 'a' : a == &none ? 'b' : 0;
		next->figure = i;
		next->run = a->run + b->run;
		/* Figures of threads that run most are judged first: a helper's chance result must not hide them. */
		if (is_work(i))
			next->shift.weight = 1 + next->run;
		d->count++;
	}
	d->names += d->count > before;
	return 0;
}

/* Makes space for the figures of one more name. */
static int room_make(struct fxt_diff *d)
{
	size_t room = d->room ? 2 * d->room : 1024;
	struct fxt_difference *more;

	if (d->room - d->count >= FXT_FIGURES)
		return 0;
	more = realloc(d->differences, room * sizeof(*more));
	if (!more)
		return -ENOMEM;
	d->differences = more;
	d->room = room;
	return 0;
}

static int names_compare(struct fxt_diff *d, const struct fxt_figures *a, const struct fxt_figures *b,
			 double least)
{
	const struct fxt_named *named, *other;
	int err = 0;

	for (named = a->first; named && !err; named = named->next) {
		other = fxt_figures_get(b, named);
		err = room_make(d);
		if (!err)
			err = name_compare(d, a, named, b, other ? other : &none, least);
	}
	for (named = b->first; named && !err; named = named->next) {
		if (fxt_figures_get(a, named))
			continue;
		err = room_make(d);
		if (!err)
			err = name_compare(d, a, &none, b, named, least);
	}
	return err;
}

static int judge(struct fxt_diff *d, bool work, double risk)
{
	struct fxt_shift **shifts = malloc((d->count + 1) * sizeof(*shifts));
	size_t i, count = 0;
	int err;

	if (!shifts)
		return -ENOMEM;
	for (i = 0; i < d->count; i++)
		if (is_work(d->differences[i].figure) == work)
			shifts[count++] = &d->differences[i].shift;
	err = fxt_shifts_judge(shifts, count, risk);
	free(shifts);
	return err;
}

static int before(const void *a, const void *b)
{
	const struct fxt_difference *x = a, *y = b;

	if (x->shift.changed != y->shift.changed)
		return y->shift.changed - x->shift.changed;
	if (x->shift.changed && x->shift.p != y->shift.p)
		return x->shift.p < y->shift.p ? -1 : 1;
	if (x->run != y->run)
		return x->run < y->run ? 1 : -1;
	return x->figure - y->figure;
}

int fxt_diff_init(struct fxt_diff *d, const struct fxt_figures *a, const struct fxt_figures *b, double least)
{
	size_t i;
	int err;

	*d = (struct fxt_diff){ .no_reasons = a->reasons == b->reasons ? 0 : a->reasons ? 'b' : 'a' };
	err = names_compare(d, a, b, least);
	if (!err)
		err = judge(d, true, RISK_WORK);
	if (!err)
		err = judge(d, false, RISK_OTHERS);
	if (err)
		return err;
	for (i = 0; i < d->count; i++)
		d->changed += d->differences[i].shift.changed;
	if (d->count)
		qsort(d->differences, d->count, sizeof(*d->differences), before);
	return 0;
}

void fxt_diff_uninit(struct fxt_diff *d)
{
	free(d->differences);
}
