// SPDX-License-Identifier: GPL-2.0-only
/* Judges the runs of a program against those of a baseline. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/gate/bounds.h"
#include "analyze/gate/verdict.h"

/* Likelihood of a wrong SLOWER, and of a wrong SAME, in all looks at all figures. */
#define RISK		0.01

/* Runs, or pairs, that a verdict needs at least. */
#define RUNS_LEAST	15u

/* Greatest part of a run that isn't known, as a share of its wall time. */
#define UNKNOWN_MAX	0.01

const unsigned int fxt_gate_looks[FXT_GATE_LOOKS] = { 2, 4, 8, FXT_GATE_WHOLE };

/* Slopes of a program's time by the yardstick's: the greatest one, and the least doubt about the one that was found. */
#define SLOPE_MAX	1.25
#define SLOPE_DOUBT	0.25

/* Difference of the machine's speed that can't be adjusted, as a logarithm. */
#define SPEED_MAX	0.15

#define ANSWER_NAME(id, name)	name,
const char *const fxt_gate_answers[] = { FXT_GATE_ANSWERS(ANSWER_NAME) };

/* Figures that are judged. */
static const enum fxt_gate_figure judged[] = { FXT_GATE_CPU, FXT_GATE_INSTRUCTIONS, FXT_GATE_OWN };
#define JUDGED	(sizeof(judged) / sizeof(*judged))

static bool is_unknown(const struct fxt_gate_run *run)
{
	return run->of[FXT_GATE_UNKNOWN] > UNKNOWN_MAX * run->of[FXT_GATE_WALL] || !run->of[FXT_GATE_OWN] ||
	       !run->of[FXT_GATE_CPU];
}

/* Returns whether a run counts, and counts the others. */
static bool counts(struct fxt_gate_verdict *v, const struct fxt_gate_run *run, const struct fxt_gate_run *other,
		   const struct fxt_gate_limits *limits)
{
	if (is_unknown(run) || (other && is_unknown(other))) {
		v->unknown++;
		return false;
	}
	if (fxt_gate_run_share(run) > limits->foreign || (other && fxt_gate_run_share(other) > limits->foreign)) {
		v->disturbed++;
		return false;
	}
	return true;
}

/* Copies the runs that count; of pairs, those of both lists. */
static int runs_choose(struct fxt_gate_verdict *v, const struct fxt_gate_runs *from, const struct fxt_gate_runs *partner,
		       struct fxt_gate_runs *to, struct fxt_gate_runs *partner_to, const struct fxt_gate_limits *limits)
{
	size_t i;
	int err = 0;

	for (i = 0; i < from->count && !err; i++) {
		if (!counts(v, &from->runs[i], partner ? &partner->runs[i] : NULL, limits))
			continue;
		err = fxt_gate_runs_put(to, &from->runs[i]);
		if (!err && partner)
			err = fxt_gate_runs_put(partner_to, &partner->runs[i]);
	}
	return err;
}

static double figure_of(const struct fxt_gate_run *run, int figure)
{
	return run->of[figure];
}

static double foreign_of(const struct fxt_gate_run *run, int figure __attribute__((unused)))
{
	return fxt_gate_run_foreign(run);
}

static double share_of(const struct fxt_gate_run *run, int figure __attribute__((unused)))
{
	return fxt_gate_run_share(run);
}

/* Computes the median of the values that a function returns of runs and a figure. */
static int median_of(double *median, const struct fxt_gate_runs *lists, size_t count,
		     double (*value)(const struct fxt_gate_run *, int), int figure)
{
	size_t i, j, all = 0, at = 0;
	double *values;
	int err;

	for (i = 0; i < count; i++)
		all += lists[i].count;
	values = malloc((all + 1) * sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		for (j = 0; j < lists[i].count; j++)
			values[at++] = value(&lists[i].runs[j], figure);
	err = fxt_gate_median(median, values, all);
	free(values);
	return err;
}

static int medians_set(struct fxt_gate_verdict *v, const struct fxt_gate_runs *baseline, size_t sessions,
		       const struct fxt_gate_runs *now)
{
	int i, err = median_of(&v->foreign_a, baseline, sessions, foreign_of, 0);

	if (!err)
		err = median_of(&v->foreign_b, now, 1, foreign_of, 0);
	for (i = 0; i < FXT_GATE_FIGURE_COUNT && !err; i++) {
		err = median_of(&v->a[i], baseline, sessions, figure_of, i);
		if (!err)
			err = median_of(&v->b[i], now, 1, figure_of, i);
	}
	return err;
}

/* Returns a heap array of the logarithms of a figure; NULL: no memory, or (with *known false) a run lacks it. */
static double *logarithms(const struct fxt_gate_runs *runs, enum fxt_gate_figure figure, bool *known)
{
	double *values = malloc((runs->count + 1) * sizeof(*values));
	size_t i;

	for (i = 0; i < runs->count && values; i++) {
		*known = *known && runs->runs[i].of[figure];
		values[i] = log(runs->runs[i].of[figure]);
	}
	return values;
}

/*
 * Computes the change of a figure between sessions, adjusted by the yardsticks if all runs have them.  A machine that has
 * the same speed within each session doesn't show the program's slope, so that it may be greater than the one found.
 */
static int sessions_compare(struct fxt_gate_bounds *b, struct fxt_gate_verdict *v, struct fxt_gate_session *sessions,
			    size_t count, bool yardsticks, double risk)
{
	double slope = yardsticks ? fxt_gate_sessions_adjust(sessions, count) : 0, machine = log1p(v->speed);
	double more = fmax(SLOPE_MAX - slope, SLOPE_DOUBT) * fabs(machine), less = SLOPE_DOUBT * fabs(machine);
	int err = fxt_gate_bounds_sessions(b, sessions, count - 1, &sessions[count - 1], risk);

	b->low -= machine > 0 ? more : less;
	b->high += machine > 0 ? less : more;
	v->allowance = fmax(v->allowance, expm1(more));
	return err;
}

/* Computes the change of a figure. */
static int change_set(struct fxt_gate_verdict *v, enum fxt_gate_figure figure, const struct fxt_gate_runs *baseline,
		      size_t sessions, const struct fxt_gate_runs *now, double risk)
{
	struct fxt_gate_session *a = calloc(sessions + 1, sizeof(*a));
	struct fxt_gate_change *c = &v->changes[figure];
	struct fxt_gate_bounds b = { 0 };
	bool yardsticks = true;
	size_t i, j;
	int err = a ? 0 : -ENOMEM;

	c->known = true;
	for (i = 0; i <= sessions && !err; i++) {
		const struct fxt_gate_runs *runs = i < sessions ? &baseline[i] : now;

		a[i] = (struct fxt_gate_session){
			logarithms(runs, figure, &c->known), logarithms(runs, FXT_GATE_YARDSTICK, &yardsticks), runs->count,
		};
		err = a[i].values && a[i].yardsticks ? 0 : -ENOMEM;
	}
	if (!err && c->known && v->paired) {
		for (j = 0; j < now->count; j++)
			a[1].values[j] -= a[0].values[j];
		err = fxt_gate_bounds_pairs(&b, a[1].values, now->count, risk);
	} else if (!err && c->known) {
		err = sessions_compare(&b, v, a, sessions + 1, yardsticks, risk);
	}
	for (i = 0; a && i <= sessions; i++) {
		free(a[i].values);
		free(a[i].yardsticks);
	}
	free(a);
	c->change = expm1(b.middle);
	c->low = expm1(b.low);
	c->high = expm1(b.high);
	return err;
}

/* Returns the risk of a figure at a look: as much as the look has of the time, shared by the figures that are known. */
static double risk_of(const struct fxt_gate_runs *now, unsigned int look)
{
	unsigned int part = fxt_gate_looks[look] - (look ? fxt_gate_looks[look - 1] : 0);
	bool counters = now->count && now->runs->of[FXT_GATE_INSTRUCTIONS];

	return RISK * part / FXT_GATE_WHOLE / (counters ? JUDGED : JUDGED - 1);
}

/* Sets the answer by the changes. */
static void answer_set(struct fxt_gate_verdict *v, size_t used, const struct fxt_gate_limits *limits, bool last)
{
	double worst = -INFINITY;
	size_t i;

	v->answer = FXT_GATE_SAME;
	for (i = 0; i < JUDGED; i++) {
		const struct fxt_gate_change *c = &v->changes[judged[i]];

		if (!c->known)
			continue;
		if (!(c->high < limits->slower) && v->answer == FXT_GATE_SAME)
			v->answer = FXT_GATE_UNSURE;
		if (c->low > limits->slower)
			v->answer = FXT_GATE_SLOWER;
		/* The figure that is surely the slowest, else the one that may be. */
		if ((c->low > limits->slower ? 1e6 + c->low : c->change) > worst) {
			worst = c->low > limits->slower ? 1e6 + c->low : c->change;
			v->figure = judged[i];
		}
	}
	if (used < RUNS_LEAST || 2 * used < v->runs)
		v->answer = last && v->disturbed + v->unknown > v->runs / 2 ? FXT_GATE_INVALID : FXT_GATE_UNSURE;
	else if (last && v->answer == FXT_GATE_UNSURE && fabs(log1p(v->speed)) > SPEED_MAX)
		v->answer = FXT_GATE_INVALID;
}

/* Computes the ratio of the machine's speeds in the sessions of the baseline and now. */
static int speed_set(struct fxt_gate_verdict *v, const struct fxt_gate_runs *baseline, size_t sessions,
		     const struct fxt_gate_runs *now)
{
	double a, b;
	int err = median_of(&a, baseline, sessions, figure_of, FXT_GATE_YARDSTICK);

	if (!err)
		err = median_of(&b, now, 1, figure_of, FXT_GATE_YARDSTICK);
	if (!err && a > 0 && b > 0)
		v->speed = b / a - 1;
	return err;
}

static int choose(struct fxt_gate_verdict *v, const struct fxt_gate_runs *baseline, size_t sessions,
		  const struct fxt_gate_runs *now, const struct fxt_gate_limits *limits, struct fxt_gate_runs *chosen)
{
	struct fxt_gate_verdict ignored = { 0 };
	size_t i;
	int err = 0;

	if (v->paired)
		return runs_choose(v, now, baseline, &chosen[1], &chosen[0], limits);
	for (i = 0; i < sessions && !err; i++)
		err = runs_choose(&ignored, &baseline[i], NULL, &chosen[i], NULL, limits);
	return err ? err : runs_choose(v, now, NULL, &chosen[sessions], NULL, limits);
}

int fxt_gate_judge(struct fxt_gate_verdict *v, const struct fxt_gate_runs *baseline, size_t sessions, bool paired,
		   const struct fxt_gate_runs *now, const struct fxt_gate_limits *limits, unsigned int look)
{
	struct fxt_gate_runs *chosen = calloc(sessions + 1, sizeof(*chosen));
	size_t i;
	int err;

	*v = (struct fxt_gate_verdict){ .paired = paired, .runs = now->count, .figure = FXT_GATE_CPU };
	err = chosen ? choose(v, baseline, sessions, now, limits, chosen) : -ENOMEM;
	if (!err)
		err = median_of(&v->share, now, 1, share_of, 0);
	if (!err)
		err = medians_set(v, chosen, sessions, &chosen[sessions]);
	if (!err && !paired)
		err = speed_set(v, chosen, sessions, &chosen[sessions]);
	for (i = 0; i < JUDGED && !err && sessions; i++)
		err = change_set(v, judged[i], chosen, sessions, &chosen[sessions], risk_of(now, look));
	if (!err && sessions)
		answer_set(v, chosen[sessions].count, limits, look == FXT_GATE_LOOKS - 1);
	for (i = 0; chosen && i <= sessions; i++)
		free(chosen[i].runs);
	free(chosen);
	return err;
}
