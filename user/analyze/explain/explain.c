// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the program to explain, and its slow and its ordinary units. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/explain/explain.h"
#include "util/array.h"

#define NAME(id, name)	name,
const char *const fxt_answer_names[] = { FXT_ANSWERS(NAME) };

/* The greatest number of units that are walked, of slow and of ordinary ones. */
#define SAMPLE		256u
/*
 * Work is within its usual spread up to that many times the distance between median and tail of an exponential distribution
 * with the same quartiles.  At 1, a tenth of the samples of such a distribution would be beyond.
 */
#define SPREAD		2

/* The slow units: those above this quantile; else the late ones, if at least that many have that share of all units' time. */
#define QUANTILE	0.99
#define RARE_LEAST	3
#define RARE_SHARE	0.02

/* Units that are being chosen. */
struct choice {
	struct fxt_explain *e;
	__u64 *ns;		/* durations of all units */
	size_t count, room;
	__u64 from, to;		/* ns, the durations that are walked */
	size_t stride, number;
	bool slow;
};

static int unit_note(void *state, const struct fxt_path_window *unit, const struct fxt_task *opener)
{
	struct choice *c = state;

	(void)opener;
	if (fxt_array_reach(c->ns, c->room, c->count))
		return -ENOMEM;
	c->ns[c->count++] = unit->to - unit->from;
	return 0;
}

/* Returns whether the next unit is in the sample: one of each stride, at a place that no period of the units can meet. */
static bool is_sampled(struct choice *c)
{
	__u64 block = c->number / c->stride, place = (block * 0x9e3779b97f4a7c15ULL >> 32) % c->stride;

	return c->number++ % c->stride == place;
}

static int unit_walk(void *state, const struct fxt_path_window *unit, const struct fxt_task *opener)
{
	struct choice *c = state;
	__u64 ns = unit->to - unit->from;

	(void)opener;
	if (ns < c->from || ns > c->to || !is_sampled(c))
		return 0;
	return fxt_causes_add(&c->e->causes, unit, c->slow);
}

/* Puts all units of the answer's kind. */
static int units_put(struct fxt_explain *e, struct choice *c, fxt_unit_put *put)
{
	const struct fxt_units_thread *t;
	size_t i;
	int err = 0;

	for (t = e->units.first; t && !err && e->kind == FXT_UNIT_REQUEST; t = t->next)
		if (fxt_explain_matters(e, t->task) && fxt_explain_group(e, t->task) == e->group)
			err = fxt_units_each(t, put, c);
	for (i = 0; i < e->path.windows.count && !err && e->kind != FXT_UNIT_REQUEST; i++) {
		const struct fxt_path_window *window = &e->path.windows.window[i];

		if (e->kind == FXT_UNIT_MARK || (fxt_explain_matters(e, window->task) && fxt_explain_group(e, window->task) == e->group))
			err = put(c, window, NULL);
	}
	return err;
}

static int ascending(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Walks the units of some durations, or some of them. */
static int sample(struct fxt_explain *e, struct choice *c, size_t first, size_t last, bool slow)
{
	size_t count = last - first + 1;

	c->from = c->ns[first];
	c->to = c->ns[last];
	c->stride = (count + SAMPLE - 1) / SAMPLE;
	c->number = 0;
	c->slow = slow;
	return units_put(e, c, unit_walk);
}

/* Returns how many units are slow: those above the quantile, and at least three of a dozen. */
static size_t slow_count(const struct fxt_explain *e, size_t count)
{
	size_t slow = count - (size_t)((e->quantile ?: QUANTILE) * count);
	size_t least = count >= 12 ? 3 : 1;

	return slow > least ? slow : least;
}

/* Returns ns that slow units worked longer, and the threads that they asked. */
static double more_work(const struct fxt_causes *causes)
{
	const struct fxt_cause *c;
	double ns = 0;

	for (c = causes->first; c; c = c->next) {
		double more = c->slow / causes->slow_count - c->ordinary / causes->ordinary_count;

		if (c->key.finding == FXT_FINDING_OWN)
			ns += more;
		else if (c->key.finding == FXT_FINDING_STAGE && c->slow > 0)
			ns += more * c->did[FXT_DID_RUN] / c->slow;
	}
	return ns;
}

/* Returns whether slow units are late only for more work, within the usual spread of the units' durations. */
static bool is_spread(const struct fxt_explain *e, const struct choice *c)
{
	double work = more_work(&e->causes), rest = e->lateness - work;
	double quartiles = c->ns[3 * c->count / 4] - c->ns[c->count / 4], slow = e->slow_count;

	if (e->ordinary + rest >= FXT_SLOW_RATIO * e->ordinary && rest >= e->late)
		return false;
	/* A unit-rate exponential distribution has the median ln 2, the quartiles ln 3 apart, and this mean of its tail. */
	return work <= SPREAD * quartiles * (log(c->count / slow) + 1 - M_LN2 + 2 / sqrt(slow)) / log(3);
}

static bool is_late(const struct fxt_explain *e, __u64 ns)
{
	return ns >= FXT_SLOW_RATIO * e->p50 && ns >= e->p50 + e->late;
}

/* Returns how many units are late, if these are rare, and their lateness matters; 0: none. */
static size_t rare_count(const struct fxt_explain *e, const struct choice *c)
{
	double lateness = 0, all = 0;
	size_t i, count = 0;

	for (i = 0; i < c->count; i++) {
		all += c->ns[i];
		if (!is_late(e, c->ns[i]))
			continue;
		lateness += c->ns[i] - e->p50;
		count++;
	}
	return count >= RARE_LEAST && lateness >= FXT_WAIT_ALL && lateness >= RARE_SHARE * all ? count : 0;
}

/* Compares slow units with ordinary ones: the faster half.  Returns 1: they are late, 0, or -errno. */
static int tail(struct fxt_explain *e, struct choice *c)
{
	size_t slow = slow_count(e, c->count);
	struct fxt_causes *causes = &e->causes;
	int err;

	if (c->count < 4 || e->kind == FXT_UNIT_LIFE)
		return 0;
	if (!is_late(e, c->ns[c->count - slow / 2 - 1]))
		slow = e->quantile ? 0 : rare_count(e, c);
	e->slow_from = slow ? c->ns[c->count - slow] : 0;
	e->slow_count = slow;
	if (!slow)
		return 0;
	err = sample(e, c, c->count - slow, c->count - 1, true);
	if (!err)
		err = sample(e, c, 0, c->count / 2 - 1, false);
	if (err)
		return err;
	e->slow = causes->slow_ns / causes->slow_count;
	e->ordinary = causes->ordinary_ns / causes->ordinary_count;
	e->lateness = e->slow - e->ordinary;
	e->spread = is_spread(e, c);
	return !e->spread;
}

/* Returns ns of the own work of all slow units. */
static double own_work(const struct fxt_causes *c)
{
	const struct fxt_cause *cause;
	double ns = 0;

	for (cause = c->first; cause; cause = cause->next)
		if (cause->key.finding == FXT_FINDING_OWN)
			ns += cause->slow;
	return ns;
}

/* Explains all that units waited for.  Returns 1: it is much, 0, or -errno. */
static int all(struct fxt_explain *e, struct choice *c)
{
	struct fxt_causes *causes = &e->causes;
	int err;

	e->slow_from = 0;
	e->slow_count = c->count;
	fxt_causes_uninit(causes);
	fxt_causes_init(causes);
	causes->whole = e->kind == FXT_UNIT_LIFE;
	causes->asked = true;
	err = sample(e, c, 0, c->count - 1, true);
	if (err)
		return err;
	e->slow = causes->slow_ns / causes->slow_count;
	e->lateness = e->slow - own_work(causes) / causes->slow_count;
	return 2 * causes->waiting >= causes->slow_count && e->lateness >= FXT_WAIT_SHARE * e->slow && e->lateness >= FXT_WAIT_LEAST && e->lateness * c->count >= FXT_WAIT_ALL;
}

/* Answers for one group and one kind of units. */
static int answer(struct fxt_explain *e, const struct fxt_explain_group *group, enum fxt_unit_kind kind)
{
	struct choice c = { .e = e };
	int late = 0, err;

	e->group = group;
	e->kind = kind;
	e->spread = false;
	fxt_causes_uninit(&e->causes);
	fxt_causes_init(&e->causes);
	err = units_put(e, &c, unit_note);
	if (!err && c.count) {
		qsort(c.ns, c.count, sizeof(*c.ns), ascending);
		e->count = c.count;
		e->threads = !group ? 0 : kind == FXT_UNIT_LIFE ? group->lives : group->threads;
		e->p50 = c.ns[c.count / 2];
		e->p99 = c.ns[c.count - 1 - c.count / 100];
		e->max = c.ns[c.count - 1];
		e->answer = FXT_ANSWER_TAIL;
		late = tail(e, &c);
		if (!late) {
			e->answer = FXT_ANSWER_ALL;
			late = all(e, &c);
		}
		if (!late)
			e->answer = FXT_ANSWER_QUIET;
		err = late < 0 ? late : 0;
	}
	free(c.ns);
	return err;
}

/* Answers for requests, and for lives where no request was late. */
static int groups_answer(struct fxt_explain *e)
{
	const struct fxt_explain_group *requests, *lives;
	int err = fxt_explain_groups(e);

	if (err)
		return err;
	requests = fxt_explain_most(e, 0);
	lives = fxt_explain_most(e, 1);
	if (requests)
		err = answer(e, requests, FXT_UNIT_REQUEST);
	if (!err && e->answer <= FXT_ANSWER_QUIET && lives && (!requests || lives->score[1] >= FXT_WAIT_ALL)) {
		err = answer(e, lives, FXT_UNIT_LIFE);
		if (!err && e->answer <= FXT_ANSWER_QUIET && requests)
			err = answer(e, requests, FXT_UNIT_REQUEST);
	}
	if (!err)
		fxt_explain_others(e);
	return err;
}

void fxt_explain_init(struct fxt_explain *e, struct fxt_machine *m, const struct fxt_selection *selection,
		      const char *mark, double quantile, __u64 late)
{
	*e = (struct fxt_explain){
		.m = m, .selection = selection, .mark = mark, .quantile = quantile, .late = late,
	};
	e->by_name.memory.spill = m->spill;
	fxt_path_init(&e->path, m, selection, mark);
	fxt_details_init(&e->details, m);
	fxt_units_init(&e->units, m, &e->path, &e->details);
	fxt_idle_init(&e->idle, m);
	fxt_pools_init(&e->pools, &e->units);
	e->causes = (struct fxt_causes){
		.m = m, .path = &e->path, .idle = &e->idle, .details = &e->details, .pools = &e->pools,
	};
}

void fxt_explain_uninit(struct fxt_explain *e)
{
	struct fxt_explain_group *g;

	for (g = e->groups; g; g = g->next)
		fxt_histogram_uninit(&g->units, e->m->spill);
	fxt_causes_uninit(&e->causes);
	fxt_map_uninit(&e->by_name, NULL);
	fxt_pools_uninit(&e->pools);
	fxt_idle_uninit(&e->idle);
	fxt_units_uninit(&e->units);
	fxt_path_uninit(&e->path);
	free(e->found);
}

int fxt_explain_solve(struct fxt_explain *e)
{
	int err = e->mark ? answer(e, NULL, FXT_UNIT_MARK) : groups_answer(e);

	return err ? err : fxt_explain_find(e);
}
