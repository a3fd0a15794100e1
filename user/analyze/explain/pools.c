// SPDX-License-Identifier: GPL-2.0-only
/* Pools of workers, by the units of their threads. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "analyze/explain/pools.h"

/* The units of a worker, the last one first. */
struct worker {
	struct worker *next;
	const struct fxt_units_thread *thread;
	size_t count, room;
	struct span {
		__u64 from, to;
		const struct fxt_task *opener;
	} *units;
};

struct pool {
	struct pool_name {
		const void *process, *name;
	} name;
	struct worker *first;
	size_t count;		/* number of workers with units */
	bool filled;		/* the workers have their units */
};

struct filling {
	struct fxt_pools *p;
	struct worker *worker;
};

static int unit_put(void *state, const struct fxt_path_window *unit, const struct fxt_task *opener)
{
	struct filling *f = state;
	struct worker *w = f->worker;
	size_t room = w->room ? 2 * w->room : 16;
	struct span *more;

	if (w->count == w->room) {
		more = fxt_arena_copy(&f->p->by_name.memory, w->units, w->count * sizeof(*more), room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		w->units = more;
		w->room = room;
	}
	w->units[w->count++] = (struct span){ unit->from, unit->to, opener };
	return 0;
}

static int thread_list(struct fxt_pools *p, const struct fxt_units_thread *t)
{
	const struct pool_name name = { t->task->process, fxt_units_family(&p->units->m->tasks, t->task) };
	struct pool *pool = name.name ? fxt_map_named(&p->by_name, &name, sizeof(name)) : NULL;
	struct worker *w = name.name ? fxt_arena_alloc(&p->by_name.memory, sizeof(*w)) : NULL;

	if (w && !pool)
		pool = fxt_map_new_named(&p->by_name, &name, sizeof(name), sizeof(*pool));
	if (!w || !pool)
		return -ENOMEM;
	w->thread = t;
	w->next = pool->first;
	pool->first = w;
	return 0;
}

/* Lists the threads of all pools, once. */
static int threads_list(struct fxt_pools *p)
{
	const struct fxt_units_thread *t;
	int err = 0;

	for (t = p->listed ? NULL : p->units->first; t && !err; t = t->next)
		err = thread_list(p, t);
	p->listed = true;
	return err;
}

/* Gives the workers of a pool their units; removes those without. */
static int pool_fill(struct fxt_pools *p, struct pool *pool)
{
	struct worker **at = &pool->first;
	int err = 0;

	while (*at && !err && !pool->filled) {
		err = fxt_units_each((*at)->thread, unit_put, &(struct filling){ .p = p, .worker = *at });
		pool->count += (*at)->count > 0;
		if ((*at)->count)
			at = &(*at)->next;
		else
			*at = (*at)->next;
	}
	pool->filled = true;
	return err;
}

/* Returns the unit of a worker at a time; NULL: it was idle. */
static const struct span *unit_at(const struct worker *w, __u64 ns)
{
	size_t low = 0, high = w->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (w->units[middle].from > ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->count && w->units[low].to > ns ? &w->units[low] : NULL;
}

int fxt_pools_busy(struct fxt_pools *p, const struct fxt_task *task, const struct fxt_task *asker, __u64 ns, __u64 *to)
{
	struct pool_name name = { task->process, fxt_units_family(&p->units->m->tasks, task) };
	const struct worker *w;
	struct pool *pool;
	__u64 end = ~0ULL;
	int err;

	*to = ns;
	if (!name.name || !name.process)
		return name.name ? 0 : -ENOMEM;
	err = threads_list(p);
	pool = err ? NULL : fxt_map_named(&p->by_name, &name, sizeof(name));
	if (pool)
		err = pool_fill(p, pool);
	if (err || !pool || pool->count < 2)
		return err;
	for (w = pool->first; w; w = w->next) {
		const struct span *unit = unit_at(w, ns);

		if (!unit || unit->opener == asker)
			return 0;
		end = unit->to < end ? unit->to : end;
	}
	*to = end;
	return 0;
}

void fxt_pools_init(struct fxt_pools *p, const struct fxt_units *units)
{
	*p = (struct fxt_pools){ .units = units };
	p->by_name.memory.spill = units->m->spill;
}

void fxt_pools_uninit(struct fxt_pools *p)
{
	fxt_map_uninit(&p->by_name, NULL);
}
