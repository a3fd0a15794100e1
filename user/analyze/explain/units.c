// SPDX-License-Identifier: GPL-2.0-only
/* Units of work of threads. */
#include <errno.h>
#include <string.h>

#include "analyze/explain/units.h"
#include "analyze/machine/phase.h"

/* Keeps a cycle of a thread. */
static int cycle_put(struct fxt_units *u, struct fxt_units_thread *t, const struct fxt_cycle *cycle)
{
	struct fxt_cycle *kept = fxt_arena_alloc(&u->memory, sizeof(*kept));

	if (!kept)
		return -ENOMEM;
	*kept = *cycle;
	kept->before = t->last;
	t->last = kept;
	return 0;
}

static struct fxt_units_thread *thread_of(struct fxt_units *u, struct fxt_task *task)
{
	struct fxt_units_thread *t = fxt_task_data(task, u->slot);

	if (t)
		return t;
	t = fxt_task_data_add(&u->m->tasks, task, u->slot, sizeof(*t));
	if (t) {
		*t = (struct fxt_units_thread){ .task = task, .since = ~0ULL, .next = u->first };
		u->first = t;
	}
	return t;
}

/* Returns the thread that asked for something by its wakeup, which may be one by the loopback; NULL: an interrupt. */
static const struct fxt_task *asker_of(const struct fxt_interval *i)
{
	const struct fxt_task *task = i->task;
	bool asks = task->woken_ns == i->end && (task->context == FXT_CONTEXT_TASK || task->context == FXT_CONTEXT_SOFTIRQ);

	return asks && task->waker && task->waker->key && task->waker->process != task->process ? task->waker : NULL;
}

/* Ends the cycle before a sleep that is over, and starts the next one. */
static int slept(struct fxt_units *u, struct fxt_units_thread *t, const struct fxt_interval *i)
{
	struct fxt_cycle cycle = {
		.from = t->since, .to = t->slept, .step = t->step, .apart = !t->joins,
		.sleep = fxt_works_slept(&t->works, u->m, u->path, i),
	};
	int err = 0;

	t->joins = t->since != ~0ULL && t->slept == i->begin && t->slept > t->since && t->since >= u->m->from &&
		   t->slept <= u->m->to;
	if (t->joins)
		err = cycle_put(u, t, &cycle);
	if (cycle.sleep.ender < FXT_ENDER_PROGRAM)
		t->asker = asker_of(i);
	t->since = !i->ended ? ~0ULL : fxt_details_due(u->details, i) ?: i->end;
	return err;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_units *u = state;
	struct fxt_units_thread *t;

	if (!i->task->key)
		return 0;
	t = thread_of(u, i->task);
	if (!t)
		return -ENOMEM;
	if (fxt_phase_waits(i->phase) || i->phase == FXT_PHASE_BLOCKED ||
	    (i->phase == FXT_PHASE_SLEEP && fxt_works_waits(fxt_path_wait(i->task))))
		t->wait += i->to - i->from;
	/* A cycle with an unknown part is none, unless the part is too short for a wait for work that matters. */
	if (t->since != ~0ULL && fxt_interval_moment(i))
		return 0;
	if (i->lost || i->phase == FXT_PHASE_UNKNOWN) {
		t->since = i->phase == FXT_PHASE_UNKNOWN && i->ended ? i->end : ~0ULL;
		t->joins = false;
	} else if (fxt_phase_sleeps(i->phase)) {
		return slept(u, t, i);
	}
	return 0;
}

/* Notes where a thread's path ends when it goes to sleep. */
static int change(void *state, const struct fxt_change *c)
{
	struct fxt_units *u = state;
	struct fxt_units_thread *t = c->prev && c->prev->key ? fxt_task_data(c->prev, u->slot) : NULL;

	if (t && fxt_phase_sleeps(c->prev->phase)) {
		t->slept = c->ns;
		t->step = fxt_path_last(u->path, c->prev);
	}
	return 0;
}

/*
 * Notes that a thread answers the one that started its request: sleeps since then that other threads of the program ended
 * belong to the request.
 */
static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_units *u = state;
	struct fxt_units_thread *t = task->woken_ns == ns && task->waker && task->waker->key ?
				     fxt_task_data(task->waker, u->slot) : NULL;
	struct fxt_cycle *c;
	__u64 end;

	(void)view;
	if (!t || t->asker != task)
		return 0;
	t->asker = NULL;
	end = t->since;
	for (c = t->joins ? t->last : NULL; c && c->sleep.ender >= FXT_ENDER_PROGRAM; c = c->apart ? NULL : c->before) {
		if (c->sleep.wait == FXT_WAIT_IDLE)
			t->works.inside_ns[c->sleep.object] += end - c->to;
		c->sleep.inside = true;
		end = c->from;
	}
	return 0;
}

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.change = change,
	.wakeup = wakeup,
};

void fxt_units_init(struct fxt_units *u, struct fxt_machine *m, const struct fxt_path *path,
		    const struct fxt_details *details)
{
	*u = (struct fxt_units){ .m = m, .path = path, .details = details };
	u->slot = fxt_machine_observe(m, &ops, u);
	u->memory.spill = m->spill;
}

void fxt_units_uninit(struct fxt_units *u)
{
	fxt_arena_uninit(&u->memory);
}

__u64 fxt_units_wait(const struct fxt_units_thread *t)
{
	return t->wait - fxt_works_choose(&t->works).waited_ns;
}

int fxt_units_each(const struct fxt_units_thread *t, fxt_unit_put *put, void *state)
{
	const struct fxt_works_choice works = fxt_works_choose(&t->works);
	struct fxt_path_window window = { .task = NULL };
	const struct fxt_cycle *c;
	int err = 0;

	for (c = works.none ? NULL : t->last; c && !err; c = c->before) {
		if (fxt_works_is(&works, &c->sleep)) {
			if (window.task)
				err = put(state, &window, c->sleep.waker);
			window = (struct fxt_path_window){
				.task = t->task, .key = t->task->key, .to = c->to, .step = c->step, .since = c->to,
				.phase = FXT_PHASE_SLEEP,
			};
		}
		window.from = c->from;
		/* Nobody knows whether a unit started with this cycle. */
		if (c->apart)
			window.task = NULL;
	}
	return err;
}

static bool is_named(const struct fxt_task *task, const char *const *names)
{
	for (; *names; names++)
		if (!strncmp(task->name, *names, strlen(*names)))
			return true;
	return false;
}

const char *fxt_units_family(struct fxt_tasks *tasks, const struct fxt_task *task)
{
	char name[FXT_TASK_NAME_BYTES + 1];
	size_t length = strlen(task->name), letters = length;

	while (letters && task->name[letters - 1] >= '0' && task->name[letters - 1] <= '9')
		letters--;
	if (letters == length || !letters)
		return fxt_tasks_string(tasks, task->name);
	memcpy(name, task->name, letters);
	strcpy(name + letters, "*");
	return fxt_tasks_string(tasks, name);
}

bool fxt_units_kernel(const struct fxt_task *task)
{
	static const char *const names[] = {
		"kworker/", "ksoftirqd/", "migration/", "kswapd", "kcompactd", "kdamond", "khugepaged", "rcu_", "rcuc/", "rcub/",
		"rcuop/", "rcuos/", "irq/", "jbd2/", "cpuhp/", "idle_inject/", "watchdog/", "kthreadd", "kauditd", "xfs", NULL,
	};

	return fxt_reason_entry(&task->reason) == FXT_ENTRY_KERNEL || is_named(task, names);
}

bool fxt_units_tracer(const struct fxt_task *task)
{
	static const char *const names[] = { "fxtrec", NULL };

	return is_named(task, names) || (task->process && !strncmp(task->process->name, "fxtrec", 6));
}
