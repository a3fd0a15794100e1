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

/*
 * Returns whether a sleep may be a wait for work: a read of a pipe or socket, by the reason's text, or a futex without a
 * known holder.
 */
static bool is_read(unsigned int wait, const char *reason)
{
	if (!reason || wait == FXT_PATH_PARKED)
		return reason;
	return (wait == FXT_WAIT_PIPE || wait == FXT_WAIT_NETWORK) &&
	       (!strncmp(reason, "read", 4) || !strncmp(reason, "recv", 4) || !strncmp(reason, "accept", 6));
}

/* Returns whether a sleep of that class is a wait for anything but work. */
static bool waits(unsigned int wait)
{
	return wait != FXT_WAIT_UNKNOWN && wait != FXT_WAIT_IDLE && wait != FXT_WAIT_KERNEL && wait != FXT_PATH_PARKED;
}

/* Returns whether only a timer ends a sleep of that reason. */
static bool is_timer(struct fxt_units *u, struct fxt_units_thread *t, const struct fxt_task *task)
{
	char room[FXT_SYSCALL_ROOM];
	const char *call;

	/* Most threads sleep for one reason again and again. */
	if (t->timer && t->timer == task->reason.bits)
		return true;
	if (task->wait != FXT_WAIT_IDLE || !task->reason.bits)
		return false;
	call = fxt_wait_call(&u->m->calls, &task->reason, room);
	if (strcmp(call, "nanosleep") && strcmp(call, "clock_nanosleep"))
		return false;
	t->timer = task->reason.bits;
	return true;
}

/* Counts a sleep that may be the thread's wait for work. */
static void sleep_count(struct fxt_units_thread *t, unsigned int wait, const char *reason, __u64 ns)
{
	unsigned int i;

	if (wait == FXT_WAIT_IDLE) {
		t->idle++;
		t->idle_ns += ns;
	} else if (wait == FXT_CYCLE_TIMER) {
		t->timers++;
		t->timers_ns += ns;
	}
	if (!is_read(wait, reason))
		return;
	for (i = 0; i < FXT_UNITS_READS && t->reads[i].reason && t->reads[i].reason != reason; i++)
		;
	if (i == FXT_UNITS_READS)
		return;
	t->reads[i].reason = reason;
	t->reads[i].count++;
	t->reads[i].ns += ns;
	t->reads[i].waits = waits(wait);
}

/* Sets the class and the reason of a sleep that is over. */
static void wait_set(struct fxt_units *u, struct fxt_units_thread *t, const struct fxt_interval *i, struct fxt_cycle *cycle)
{
	static const char internal[] = "a thread of the process";
	const struct fxt_task *waker;

	cycle->reason = fxt_path_reason(u->path, i->task);
	cycle->wait = is_timer(u, t, i->task) ? FXT_CYCLE_TIMER : fxt_path_wait(i->task);
	if (i->task->reason.bits || u->m->reasons || i->phase != FXT_PHASE_SLEEP)
		return;
	/*
	 * Without reasons, an interruptible sleep is taken for a wait for work; but where a thread of the process ended
	 * it, only if all sleeps are such.
	 */
	waker = fxt_interval_waker(i);
	cycle->wait = FXT_WAIT_IDLE;
	if (!waker || !waker->process || waker->process != i->task->process)
		return;
	cycle->wait = FXT_PATH_PARKED;
	cycle->reason = internal;
}

/* Ends the cycle before a sleep that is over, and starts the next one. */
static int slept(struct fxt_units *u, struct fxt_units_thread *t, const struct fxt_interval *i)
{
	struct fxt_cycle cycle = {
		.from = t->since, .to = t->slept, .step = t->step, .apart = !t->joins,
	};
	int err = 0;

	wait_set(u, t, i, &cycle);
	sleep_count(t, cycle.wait, cycle.reason, i->to - i->from);
	t->joins = t->since != ~0ULL && t->slept == i->begin && t->slept > t->since && t->since >= u->m->from &&
		   t->slept <= u->m->to;
	if (t->joins)
		err = cycle_put(u, t, &cycle);
	t->since = i->ended ? i->end : ~0ULL;
	return err;
}

static bool is_chosen(const struct fxt_units *u, const struct fxt_task *task)
{
	return task->key && (!fxt_selection_tasks_any(u->selection) || fxt_selection_task(u->selection, task));
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_units *u = state;
	struct fxt_units_thread *t;

	if (!is_chosen(u, i->task))
		return 0;
	t = thread_of(u, i->task);
	if (!t)
		return -ENOMEM;
	if (fxt_phase_waits(i->phase) || i->phase == FXT_PHASE_BLOCKED ||
	    (i->phase == FXT_PHASE_SLEEP && waits(fxt_path_wait(i->task))))
		t->wait += i->to - i->from;
	/* A cycle with an unknown part is none. */
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

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.change = change,
};

void fxt_units_init(struct fxt_units *u, struct fxt_machine *m, const struct fxt_path *path,
		    const struct fxt_selection *selection)
{
	*u = (struct fxt_units){ .m = m, .path = path, .selection = selection };
	u->slot = fxt_machine_observe(m, &ops, u);
	u->memory.spill = m->spill;
}

void fxt_units_uninit(struct fxt_units *u)
{
	fxt_arena_uninit(&u->memory);
}

/* The waits for work of a thread: reads, or idle sleeps, and those that only a timer ends. */
struct works {
	const char *read;	/* NULL: idle sleeps */
	__u64 read_ns;
	bool timers, none;
};

/*
 * Finds the waits for work: idle sleeps, with those that only a timer ends if these are the longer part.  If there are
 * only timers, a read of a pipe or socket that the thread slept in for longer is its wait for work.
 */
static struct works works_of(const struct fxt_units_thread *t)
{
	const struct fxt_units_read *most = &t->reads[0];
	unsigned int i;

	for (i = 1; i < FXT_UNITS_READS; i++)
		if (t->reads[i].ns > most->ns)
			most = &t->reads[i];
	if (t->idle < 2 && most->count >= 2 && (t->timers < 2 || most->ns > t->timers_ns))
		return (struct works){ .read = most->reason, .read_ns = most->waits ? most->ns : 0 };
	return (struct works){
		.timers = t->idle < 2 || t->timers_ns > t->idle_ns,
		.none = t->idle < 2 && t->timers < 2,
	};
}

static bool is_work(const struct works *works, const struct fxt_cycle *c)
{
	return works->read ? c->reason == works->read :
	       c->wait == FXT_WAIT_IDLE || (works->timers && c->wait == FXT_CYCLE_TIMER);
}

__u64 fxt_units_wait(const struct fxt_units_thread *t)
{
	return t->wait - works_of(t).read_ns;
}

int fxt_units_each(const struct fxt_units_thread *t, fxt_unit_put *put, void *state)
{
	const struct works works = works_of(t);
	struct fxt_path_window window = { .task = NULL };
	const struct fxt_cycle *c;
	int err = 0;

	for (c = works.none ? NULL : t->last; c && !err; c = c->before) {
		if (is_work(&works, c)) {
			if (window.task)
				err = put(state, &window);
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
		"kworker/", "ksoftirqd/", "migration/", "kswapd", "kcompactd", "khugepaged", "rcu_", "rcuc/", "rcub/",
		"rcuop/", "rcuos/", "irq/", "jbd2/", "cpuhp/", "idle_inject/", "watchdog/", "kthreadd", "kauditd", "xfs", NULL,
	};

	return fxt_reason_entry(&task->reason) == FXT_ENTRY_KERNEL || is_named(task, names);
}

bool fxt_units_tracer(const struct fxt_task *task)
{
	static const char *const names[] = { "fxtrec", NULL };

	return is_named(task, names) || (task->process && !strncmp(task->process->name, "fxtrec", 6));
}
