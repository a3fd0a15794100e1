// SPDX-License-Identifier: GPL-2.0-only
/* Finds the waits for work of a thread. */
#include <string.h>

#include "analyze/explain/works.h"

/* A thread waits for work that many times as often as for anything on another object, at least. */
#define OFTEN	2

/*
 * Returns whether a sleep may be a wait for work: a read of a pipe or socket, by the reason's text, or a futex without a
 * known holder.
 */
static bool is_read(const struct fxt_works_sleep *s)
{
	if (!s->reason || s->wait == FXT_PATH_PARKED)
		return s->reason;
	return (s->wait == FXT_WAIT_PIPE || s->wait == FXT_WAIT_NETWORK) &&
	       (!strncmp(s->reason, "read", 4) || !strncmp(s->reason, "recv", 4) || !strncmp(s->reason, "accept", 6));
}

bool fxt_works_waits(unsigned int wait)
{
	return wait != FXT_WAIT_UNKNOWN && wait != FXT_WAIT_IDLE && wait != FXT_WAIT_KERNEL && wait != FXT_PATH_PARKED;
}

/* Returns whether only a timer ends a sleep of that reason. */
static bool is_timer(struct fxt_works *w, struct fxt_machine *m, const struct fxt_task *task)
{
	char room[FXT_SYSCALL_ROOM];
	const char *call;

	/* Most threads sleep for one reason again and again. */
	if (w->timer && w->timer == task->reason.bits)
		return true;
	if (task->wait != FXT_WAIT_IDLE || !task->reason.bits)
		return false;
	call = fxt_wait_call(&m->calls, &task->reason, room);
	if (strcmp(call, "nanosleep") && strcmp(call, "clock_nanosleep"))
		return false;
	w->timer = task->reason.bits;
	return true;
}

static enum fxt_ender ender_of(const struct fxt_interval *i)
{
	const struct fxt_task *task = i->task, *waker = fxt_interval_waker(i);

	if (!i->ended || task->woken_ns != i->end || !task->waker)
		return FXT_ENDER_UNKNOWN;
	if (fxt_interval_timer(i))
		return FXT_ENDER_TIMER;
	/* An interrupt, or the idle thread of a CPU, which stands for one. */
	if (!waker || !waker->key)
		return FXT_ENDER_OUTSIDE;
	if (!waker->process || !task->process)
		return FXT_ENDER_UNKNOWN;
	if (waker->process == task->process)
		return FXT_ENDER_PROCESS;
	return strcmp(waker->process->name, task->process->name) ? FXT_ENDER_OUTSIDE : FXT_ENDER_PROGRAM;
}

static void read_count(struct fxt_works *w, const struct fxt_works_sleep *s, __u64 ns)
{
	unsigned int i;

	for (i = 0; i < FXT_WORKS_READS && w->reads[i].reason && w->reads[i].reason != s->reason; i++)
		;
	if (i == FXT_WORKS_READS)
		return;
	w->reads[i].reason = s->reason;
	w->reads[i].count++;
	w->reads[i].ns += ns;
	w->reads[i].waits = fxt_works_waits(s->wait);
}

/* Counts an idle sleep by its object.  Returns the number of the object, as fxt_works_sleep has it. */
static unsigned int object_count(struct fxt_works *w, const struct fxt_sleep_reason *reason, const struct fxt_works_sleep *s,
				 __u64 ns)
{
	struct fxt_works_object *o;

	for (o = w->objects; o < w->objects + FXT_WORKS_OBJECTS && o->bits; o++)
		if (o->bits == reason->bits && o->kind == reason->kind && o->object == reason->object)
			break;
	if (o == w->objects + FXT_WORKS_OBJECTS || !reason->bits)
		return 0;
	o->bits = reason->bits;
	o->kind = reason->kind;
	o->object = reason->object;
	o->count++;
	o->ns += ns;
	o->ended[s->ender]++;
	/* A majority vote: a thread that ended more than half of the sleeps stays. */
	if (!o->votes)
		o->waker = s->waker;
	o->votes += o->waker == s->waker ? 1 : -1;
	return 1 + (o - w->objects);
}

static void sleep_count(struct fxt_works *w, const struct fxt_sleep_reason *reason, struct fxt_works_sleep *s, __u64 ns)
{
	if (s->wait == FXT_WAIT_IDLE) {
		w->idle++;
		w->idle_ns += ns;
		s->object = object_count(w, reason, s, ns);
	} else if (s->wait == FXT_CYCLE_TIMER) {
		w->timers++;
		w->timers_ns += ns;
	}
	if (is_read(s))
		read_count(w, s, ns);
}

struct fxt_works_sleep fxt_works_slept(struct fxt_works *w, struct fxt_machine *m, const struct fxt_path *path,
				       const struct fxt_interval *i)
{
	static const char internal[] = "a thread of the program";
	struct fxt_works_sleep s = {
		.reason = fxt_path_reason(path, i->task),
		.waker = fxt_interval_waker(i),
		.wait = is_timer(w, m, i->task) ? FXT_CYCLE_TIMER : fxt_path_wait(i->task),
		.ender = ender_of(i),
	};

	/*
	 * Without reasons, an interruptible sleep is taken for a wait for work; but where a thread of the program ended
	 * it, only if all sleeps are such.
	 */
	if (!i->task->reason.bits && !m->reasons && i->phase == FXT_PHASE_SLEEP) {
		s.wait = s.ender >= FXT_ENDER_PROGRAM ? FXT_PATH_PARKED : FXT_WAIT_IDLE;
		if (s.ender >= FXT_ENDER_PROGRAM)
			s.reason = internal;
	}
	sleep_count(w, &i->task->reason, &s, i->to - i->from);
	return s;
}

/* Returns the object that a thread sleeps on most often. */
static const struct fxt_works_object *most_often(const struct fxt_works *w)
{
	const struct fxt_works_object *o, *most = w->objects;

	for (o = w->objects; o < w->objects + FXT_WORKS_OBJECTS; o++)
		if (o->count > most->count)
			most = o;
	return most;
}

/*
 * Returns whether idle sleeps on an object belong to requests.  serves: other programs or interrupts end idle sleeps of the
 * thread.
 */
static bool is_inside(const struct fxt_works_object *o, const struct fxt_works_object *most, bool serves)
{
	/* The processes of a program end sleeps on that object, and nobody else does: a lock, or a latch. */
	if (serves)
		return o->ended[FXT_ENDER_PROGRAM] && !o->ended[FXT_ENDER_OUTSIDE] && !o->ended[FXT_ENDER_PROCESS];
	/*
	 * A worker of a pool waits for work more often, and longer, than at a monitor, and another thread ends that.  A
	 * condition variable has two futexes, which the same thread ends.
	 */
	return o->ended[FXT_ENDER_PROCESS] && !o->ended[FXT_ENDER_PROGRAM] && most->ended[FXT_ENDER_PROCESS] &&
	       o->waker != most->waker && OFTEN * o->count < most->count && o->ns < most->ns;
}

struct fxt_works_choice fxt_works_choose(const struct fxt_works *w)
{
	const struct fxt_works_object *often = most_often(w);
	const struct fxt_works_read *most = &w->reads[0];
	struct fxt_works_choice choice = { .read = NULL };
	__u64 idle = w->idle, idle_ns = w->idle_ns, outside = 0;
	unsigned int i;

	for (i = 0; i < FXT_WORKS_OBJECTS; i++)
		outside += w->objects[i].ended[FXT_ENDER_OUTSIDE];
	choice.serves = outside >= 2;
	choice.waited_ns = -w->inside_ns[0];
	for (i = 0; i < FXT_WORKS_OBJECTS; i++) {
		const struct fxt_works_object *o = &w->objects[i];

		if (!is_inside(o, often, choice.serves)) {
			choice.waited_ns -= w->inside_ns[i + 1];
			continue;
		}
		choice.requests |= 1u << (i + 1);
		idle -= o->count;
		idle_ns -= o->ns;
		choice.waited_ns -= o->ns;
	}
	for (i = 1; i < FXT_WORKS_READS; i++)
		if (w->reads[i].ns > most->ns)
			most = &w->reads[i];
	if (idle < 2 && most->count >= 2 && (w->timers < 2 || (most->ns > w->timers_ns && OFTEN * most->count >= w->timers))) {
		choice.read = most->reason;
		choice.waited_ns += most->waits ? most->ns : 0;
		return choice;
	}
	choice.timers = idle < 2 || w->timers_ns > idle_ns;
	choice.none = idle < 2 && w->timers < 2;
	return choice;
}

bool fxt_works_is(const struct fxt_works_choice *choice, const struct fxt_works_sleep *s)
{
	if (choice->read)
		return s->reason == choice->read;
	if (s->wait == FXT_CYCLE_TIMER)
		return choice->timers;
	if (s->wait != FXT_WAIT_IDLE || s->inside || choice->requests & 1u << s->object)
		return false;
	/* An object that is used once can't be told from others. */
	return s->object || s->ender != FXT_ENDER_PROGRAM || !choice->serves;
}
