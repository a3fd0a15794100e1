// SPDX-License-Identifier: GPL-2.0-only
/* Groups of threads with one name, and how late each is. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/explain/explain.h"

/* Another group is late, too, if it has this share of the lateness of the explained group. */
#define OTHER_SHARE	0.1

/* Units that are being counted. */
struct counting {
	struct fxt_explain *e;
	struct fxt_explain_group *group;
	size_t count;
};

struct fxt_explain_group *fxt_explain_group(struct fxt_explain *e, const struct fxt_task *task)
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

static int unit_count(void *state, const struct fxt_path_window *unit, const struct fxt_task *opener)
{
	struct counting *c = state;

	(void)opener;
	c->count++;
	return fxt_histogram_add(&c->group->units, c->e->m->spill, unit->to - unit->from);
}

bool fxt_explain_matters(const struct fxt_explain *e, const struct fxt_task *task)
{
	return task->key && (fxt_selection_tasks_any(e->selection) ? fxt_selection_task(e->selection, task) :
			     !fxt_units_kernel(task) && !fxt_units_tracer(task));
}

/* Adds the units and lives of all threads to their groups. */
static int fill(struct fxt_explain *e)
{
	const struct fxt_units_thread *t;
	int err = 0;

	for (t = e->units.first; t && !err; t = t->next) {
		struct counting c = { .e = e };

		if (!fxt_explain_matters(e, t->task))
			continue;
		c.group = fxt_explain_group(e, t->task);
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
	least = FXT_SLOW_RATIO * fxt_histogram_quantile(&g->units, buckets, 500) + e->late;
	for (b = buckets; b < buckets + g->units.used; b++)
		if (b->upper > least)
			g->score[0] += b->count * (b->upper - least);
	free(buckets);
	if (g->wait > FXT_WAIT_SHARE * g->units.sum && g->wait > FXT_WAIT_LEAST * g->units.count && g->wait > g->score[0])
		g->score[0] = g->wait;
	return 0;
}

int fxt_explain_groups(struct fxt_explain *e)
{
	struct fxt_explain_group *g;
	int err = fill(e);

	for (g = e->groups; g && !err; g = g->next)
		err = score(e, g);
	return err;
}

const struct fxt_explain_group *fxt_explain_most(const struct fxt_explain *e, unsigned int kind)
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

void fxt_explain_others(struct fxt_explain *e)
{
	unsigned int kind = e->kind == FXT_UNIT_LIFE, i;
	const struct fxt_explain_group *g, *kept, *other;

	for (g = e->groups; g && e->answer > FXT_ANSWER_QUIET; g = g->next) {
		if (g == e->group || g->score[kind] < OTHER_SHARE * e->group->score[kind] || g->score[kind] < FXT_WAIT_ALL)
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
