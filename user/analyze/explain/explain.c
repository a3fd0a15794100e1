// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the program to explain, and its slow and its ordinary units. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/explain/explain.h"
#include "util/array.h"

#define NAME(id, name)	name,
const char *const fxt_answer_names[] = { FXT_ANSWERS(NAME) };

/* Another group is late, too, if it has this share of the lateness of the explained group. */
#define OTHER_SHARE	0.1
/* The greatest number of units that are walked, of slow and of ordinary ones. */
#define SAMPLE		256u
/* The least share of a unit's time that it waits, where all units wait. */
#define WAIT_SHARE	0.2
/* The least wait of such a unit, and of all of them together. */
#define WAIT_LEAST	100e3
#define WAIT_ALL	10e6
/* A slow unit takes this many times the time of an ordinary one, at least. */
#define SLOW_RATIO	1.5

/* Units that are being chosen. */
struct choice {
	struct fxt_explain *e;
	struct fxt_explain_group *group;
	__u64 *ns;		/* durations of all units */
	size_t count, room;
	__u64 from, to;		/* ns, the durations that are walked */
	size_t stride, number;
	bool slow;
};

static struct fxt_explain_group *group_get(struct fxt_explain *e, const struct fxt_task *task)
{
	const char *name = fxt_units_family(&e->m->tasks, task);
	struct fxt_explain_group *group = name ? fxt_map_get(&e->by_name, (__u64)(uintptr_t)name) : NULL;

	if (group || !name)
		return group;
	group = fxt_map_new(&e->by_name, (__u64)(uintptr_t)name, sizeof(*group));
	if (group) {
		group->name = name;
		group->next = e->groups;
		e->groups = group;
	}
	return group;
}

static int unit_count(void *state, const struct fxt_path_window *unit)
{
	struct choice *c = state;

	c->count++;
	return fxt_histogram_add(&c->group->units, c->e->m->spill, unit->to - unit->from);
}

/* Returns whether a thread's lateness matters. */
static bool matters(const struct fxt_explain *e, const struct fxt_task *task)
{
	return task->key && (fxt_selection_tasks_any(e->selection) ? fxt_selection_task(e->selection, task) :
			     !fxt_units_kernel(task) && !fxt_units_tracer(task));
}

/* Adds the units and lives of all threads to their groups. */
static int groups_fill(struct fxt_explain *e)
{
	const struct fxt_units_thread *t;
	int err = 0;

	for (t = e->units.first; t && !err; t = t->next) {
		struct choice c = { .e = e };

		if (!matters(e, t->task))
			continue;
		c.group = group_get(e, t->task);
		if (!c.group)
			return -ENOMEM;
		err = fxt_units_each(t, unit_count, &c);
		if (c.count) {
			c.group->threads++;
			c.group->wait += fxt_units_wait(t);
		} else {
			c.group->lives++;
			c.group->lives_wait += t->wait;
		}
	}
	return err;
}

/* Sets the lateness of a group, as an estimate that ranks groups. */
static int score(struct fxt_explain *e, struct fxt_explain_group *g)
{
	const struct fxt_histogram_bucket *b;
	struct fxt_histogram_bucket *buckets;
	double least;
	int err = fxt_histogram_settle(&g->units, e->m->spill);

	g->score[1] = g->lives_wait;
	if (err || !g->units.count)
		return err;
	buckets = fxt_histogram_buckets(&g->units);
	if (!buckets)
		return -ENOMEM;
	least = SLOW_RATIO * fxt_histogram_quantile(&g->units, buckets, 500) + e->late;
	for (b = buckets; b < buckets + g->units.used; b++)
		if (b->upper > least)
			g->score[0] += b->count * (b->upper - least);
	free(buckets);
	if (g->wait > WAIT_SHARE * g->units.sum && g->wait > WAIT_LEAST * g->units.count && g->wait > g->score[0])
		g->score[0] = g->wait;
	return 0;
}

static int unit_note(void *state, const struct fxt_path_window *unit)
{
	struct choice *c = state;

	if (fxt_array_reach(c->ns, c->room, c->count))
		return -ENOMEM;
	c->ns[c->count++] = unit->to - unit->from;
	return 0;
}

static int unit_walk(void *state, const struct fxt_path_window *unit)
{
	struct choice *c = state;
	__u64 ns = unit->to - unit->from;

	if (ns < c->from || ns > c->to || c->number++ % c->stride)
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
		if (matters(e, t->task) && group_get(e, t->task) == e->group)
			err = fxt_units_each(t, put, c);
	for (i = 0; i < e->path.windows.count && !err && e->kind != FXT_UNIT_REQUEST; i++) {
		const struct fxt_path_window *window = &e->path.windows.window[i];

		if (e->kind == FXT_UNIT_MARK || (matters(e, window->task) && group_get(e, window->task) == e->group))
			err = put(c, window);
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
	size_t slow = count - (size_t)(e->quantile * count);
	size_t least = count >= 12 ? 3 : 1;

	return slow > least ? slow : least;
}

/* Compares slow units with ordinary ones: the faster half.  Returns 1: they are late, 0, or -errno. */
static int tail(struct fxt_explain *e, struct choice *c)
{
	size_t slow = slow_count(e, c->count);
	struct fxt_causes *causes = &e->causes;
	__u64 median;
	int err;

	if (c->count < 4 || e->kind == FXT_UNIT_LIFE)
		return 0;
	e->slow_from = c->ns[c->count - slow];
	e->slow_count = slow;
	median = c->ns[c->count - slow / 2 - 1];
	if (median < SLOW_RATIO * e->p50 || median < e->p50 + e->late)
		return 0;
	err = sample(e, c, c->count - slow, c->count - 1, true);
	if (!err)
		err = sample(e, c, 0, c->count / 2 - 1, false);
	if (err)
		return err;
	e->slow = causes->slow_ns / causes->slow_count;
	e->ordinary = causes->ordinary_ns / causes->ordinary_count;
	e->lateness = e->slow - e->ordinary;
	return 1;
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
	causes->whole = e->kind == FXT_UNIT_LIFE;
	err = sample(e, c, 0, c->count - 1, true);
	if (err)
		return err;
	e->slow = causes->slow_ns / causes->slow_count;
	e->lateness = e->slow - own_work(causes) / causes->slow_count;
	return e->lateness >= WAIT_SHARE * e->slow && e->lateness >= WAIT_LEAST && e->lateness * c->count >= WAIT_ALL;
}

/* Answers for one group and one kind of units. */
static int answer(struct fxt_explain *e, const struct fxt_explain_group *group, enum fxt_unit_kind kind)
{
	struct choice c = { .e = e };
	int late = 0, err;

	e->group = group;
	e->kind = kind;
	fxt_causes_uninit(&e->causes);
	fxt_causes_init(&e->causes, e->m, &e->path, &e->idle);
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

/* Returns the group of the greatest score of units (0) or lives (1); NULL: none has any. */
static const struct fxt_explain_group *most(const struct fxt_explain *e, unsigned int kind)
{
	const struct fxt_explain_group *g, *found = NULL;

	for (g = e->groups; g; g = g->next) {
		bool has = kind ? g->lives : g->units.count;

		if (has && (!found || g->score[kind] > found->score[kind] ||
			    (g->score[kind] == found->score[kind] && strcmp(g->name, found->name) < 0)))
			found = g;
	}
	return found;
}

/* Keeps the groups with the greatest scores besides the explained one. */
static void others_set(struct fxt_explain *e)
{
	unsigned int kind = e->kind == FXT_UNIT_LIFE, i;
	const struct fxt_explain_group *g, *kept, *other;

	for (g = e->groups; g && e->answer > FXT_ANSWER_QUIET; g = g->next) {
		if (g == e->group || g->score[kind] < OTHER_SHARE * e->group->score[kind] || g->score[kind] < WAIT_ALL)
			continue;
		for (i = 0, kept = g; i < FXT_EXPLAIN_OTHERS && kept; i++) {
			other = e->others[i];
			if (other && (other->score[kind] > kept->score[kind] ||
				      (other->score[kind] == kept->score[kind] && strcmp(other->name, kept->name) < 0)))
				continue;
			e->others[i] = kept;
			kept = other;
		}
	}
}

/* Answers for requests, and for lives where no request was late. */
static int groups_answer(struct fxt_explain *e)
{
	const struct fxt_explain_group *requests, *lives;
	struct fxt_explain_group *g;
	int err = groups_fill(e);

	for (g = e->groups; g && !err; g = g->next)
		err = score(e, g);
	if (err)
		return err;
	requests = most(e, 0);
	lives = most(e, 1);
	if (requests)
		err = answer(e, requests, FXT_UNIT_REQUEST);
	if (!err && e->answer <= FXT_ANSWER_QUIET && lives && (!requests || lives->score[1] >= WAIT_ALL)) {
		err = answer(e, lives, FXT_UNIT_LIFE);
		if (!err && e->answer <= FXT_ANSWER_QUIET && requests)
			err = answer(e, requests, FXT_UNIT_REQUEST);
	}
	if (!err)
		others_set(e);
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
	fxt_units_init(&e->units, m, &e->path, selection);
	fxt_idle_init(&e->idle, m);
}

void fxt_explain_uninit(struct fxt_explain *e)
{
	struct fxt_explain_group *g;

	for (g = e->groups; g; g = g->next)
		fxt_histogram_uninit(&g->units, e->m->spill);
	fxt_causes_uninit(&e->causes);
	fxt_map_uninit(&e->by_name, NULL);
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
