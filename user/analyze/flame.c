// SPDX-License-Identifier: GPL-2.0-only
/* Sums the time of sleeps and blocked times, by thread and stack. */
#include <errno.h>

#include "analyze/flame.h"
#include "analyze/machine/phase.h"
#include "store/keyed.h"

/* The life of a thread. */
struct flame_life {
	__u64 ns;		/* known ns in the window */
};

static struct fxt_flame_place *place_of(struct fxt_flame *f, struct fxt_task *task, const char *stack, bool blocked)
{
	const void *name[] = { task, stack, blocked ? f : NULL };
	__u64 key = fxt_keyed_bytes(name, sizeof(name));
	struct fxt_flame_place *place;

	/* Places with the same hash have the next numbers as keys. */
	for (; (place = fxt_map_get(&f->places, key)); key++) {
		if (place->task == task && place->stack == stack && place->blocked == blocked)
			return place;
	}
	place = fxt_map_new(&f->places, key, sizeof(*place));
	if (!place)
		return NULL;
	*place = (struct fxt_flame_place){ .task = task, .stack = stack, .blocked = blocked, .next = f->first };
	f->first = place;
	return place;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_flame *f = state;
	struct flame_life *life = fxt_task_data(i->task, f->slot);
	const char *stack = i->task->stack ? i->task->stack : i->task->function;
	/* Without wakeups, a sleep and the wait for a CPU after it are one. */
	enum fxt_phase phase = f->m->wakes ? i->phase : i->task->phase;
	__u64 known = i->to - i->from - fxt_phase_lost(f->m, i->task, phase, i->begin, i->from, i->to);
	struct fxt_flame_place *place;

	if (!life)
		life = fxt_task_data_add(&f->m->tasks, i->task, f->slot, sizeof(*life));
	if (!life)
		return -ENOMEM;
	if (phase != FXT_PHASE_UNKNOWN)
		life->ns += known;
	if ((phase != FXT_PHASE_BLOCKED && phase != FXT_PHASE_SLEEP) || !known)
		return 0;
	if (!stack) {
		f->unknown += known;
		return 0;
	}
	place = place_of(f, i->task, stack, phase == FXT_PHASE_BLOCKED);
	if (!place)
		return -ENOMEM;
	place->ns += known;
	return 0;
}

static const struct fxt_observer_ops ops = { .interval = interval };

void fxt_flame_init(struct fxt_flame *f, struct fxt_machine *m, const struct fxt_selection *selection)
{
	*f = (struct fxt_flame){ .m = m, .selection = selection, .places.memory.spill = m->spill };
	f->slot = fxt_machine_observe(m, &ops, f);
}

void fxt_flame_uninit(struct fxt_flame *f)
{
	fxt_map_uninit(&f->places, NULL);
}

bool fxt_flame_idle(const struct fxt_flame *f, const struct fxt_flame_place *place)
{
	const struct flame_life *life;

	if (place->blocked)
		return false;
	life = place->task->data[f->slot];
	return place->ns >= life->ns - life->ns / 10;
}
