// SPDX-License-Identifier: GPL-2.0-only
/* Waits for locks, by the phases of their holders, and the objects of other sleeps. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/blame/locks.h"
#include "analyze/machine/sleep.h"
#include "analyze/machine/phase.h"

/* Limit of the locks of a chain: the holder of each waits for the next one. */
#define DEPTH_MAX	64u

/* Odd factors that spread the parts of a lock's key. */
#define OBJECT_FACTOR	0x9e3779b97f4a7c15ULL
#define PROCESS_FACTOR	0xc2b2ae3d27d4eb4fULL

/* Returns the number of a suspect with a text, which has the object of a reason; 0: -ENOMEM. */
static __u32 number_of(struct fxt_blame *b, enum fxt_culprit_kind kind, const char *text, const struct fxt_sleep_reason *reason)
{
	const char *kept = fxt_sleep_keep(b->m, text, reason);

	return kept ? fxt_suspects_named(b->suspects, b->m->spill, kind, kept) : 0;
}

/* Writes the reason of a thread's present sleep.  Returns text. */
static const char *sleep_write(const struct fxt_blame *b, char text[FXT_SLEEP_TEXT_BYTES], const struct fxt_task *task)
{
	return fxt_sleep_write(b->m, text, FXT_SLEEP_TEXT_BYTES, &task->reason, fxt_sleep_holder(b->m, task, task->since));
}

__u32 fxt_blame_sleep_number(struct fxt_blame *b, const struct fxt_task *task)
{
	char text[FXT_SLEEP_TEXT_BYTES];

	return number_of(b, fxt_culprit_of_wait(task->wait), sleep_write(b, text, task), &task->reason);
}

/* Returns the number of a holder's phase as a suspect; 0: -ENOMEM. */
static __u32 phase_number(struct fxt_blame *b, const struct fxt_task *holder, enum fxt_phase phase)
{
	static const struct fxt_sleep_reason none;
	char text[2 * FXT_SLEEP_TEXT_BYTES], sleep[FXT_SLEEP_TEXT_BYTES];

	snprintf(text, sizeof(text), "held by %s:%llu: %s%s", holder->name, holder->tid,
		 phase == FXT_PHASE_RUN ? "it ran" : fxt_phase_waits(phase) ? "it waited for a CPU" : "it slept in ",
		 fxt_phase_sleeps(phase) ? sleep_write(b, sleep, holder) : "");
	return number_of(b, FXT_CULPRIT_LOCK, text, fxt_phase_sleeps(phase) ? &holder->reason : &none);
}

/* Returns the number of a lock without a known holder as a suspect; 0: -ENOMEM. */
static __u32 unheld_number(struct fxt_blame *b, const struct fxt_task *waiter)
{
	char text[2 * FXT_SLEEP_TEXT_BYTES], sleep[FXT_SLEEP_TEXT_BYTES];

	snprintf(text, sizeof(text), "%s, holder unknown", sleep_write(b, sleep, waiter));
	return number_of(b, FXT_CULPRIT_LOCK, text, &waiter->reason);
}

static int run_add(struct fxt_blame *b, struct fxt_blame_lock *lock, __u64 from, __u64 to, __u32 number)
{
	return from < to ? fxt_blame_run_add(b, &lock->queue, &(struct fxt_blame_run){ from, to, 0, number }) : 0;
}

/* Adds the runs of the lock that the holder itself waits for. */
static int chain_add(struct fxt_blame *b, struct fxt_blame_lock *lock, struct fxt_blame_lock *other, __u64 to)
{
	const struct fxt_blame_queue *q = &other->queue;
	int err = fxt_blame_lock_flush(b, other, to);
	size_t first = lock->holder->first, i = fxt_blame_run_find(q, first, lock->since);

	/* The run before may end later. */
	for (i -= i > first; i < q->next && !err; i++) {
		struct fxt_blame_run run = *fxt_blame_run_at(q, i);

		err = run_add(b, lock, run.from > lock->since ? run.from : lock->since, run.to < to ? run.to : to,
			      run.number);
	}
	return err;
}

/* Adds the runs since the last one, while the holder was in a phase. */
static int runs_add(struct fxt_blame *b, struct fxt_blame_lock *lock, enum fxt_phase phase, __u64 to)
{
	struct fxt_blame_lock *other = lock->holder ? fxt_blame_lock_of(lock->holder) : NULL;
	__u32 number;
	int err;

	if (to <= lock->since)
		return 0;
	if (!lock->queue.oldest) {
		lock->since = to;
		return 0;
	}
	lock->visited = true;
	/* Holders that wait for each other sleep. */
	if (other && !other->visited && fxt_phase_sleeps(phase) && b->lock_depth < DEPTH_MAX) {
		b->lock_depth++;
		err = chain_add(b, lock, other, to);
		b->lock_depth--;
	} else {
		number = lock->holder && phase != FXT_PHASE_UNKNOWN && phase != FXT_PHASE_DEAD ?
			 phase_number(b, lock->holder->task, phase) : unheld_number(b, lock->queue.oldest->task);
		err = number ? run_add(b, lock, lock->since, to, number) : -ENOMEM;
	}
	lock->visited = false;
	lock->since = to;
	return err;
}

int fxt_blame_lock_flush(struct fxt_blame *b, struct fxt_blame_lock *lock, __u64 ns)
{
	return runs_add(b, lock, lock->holder ? lock->holder->task->phase : FXT_PHASE_UNKNOWN, ns);
}

int fxt_blame_locks_phase(struct fxt_blame *b, struct fxt_victim *holder, const struct fxt_interval *i)
{
	struct fxt_blame_lock *lock;
	int err = 0;

	for (lock = holder->held; lock && !err; lock = lock->held_next)
		err = runs_add(b, lock, i->phase, i->end);
	return err;
}

static void unhold(struct fxt_blame_lock *lock)
{
	struct fxt_blame_lock **at;

	if (!lock->holder)
		return;
	for (at = &lock->holder->held; *at != lock; at = &(*at)->held_next)
		;
	*at = lock->held_next;
	lock->holder = NULL;
}

static void hold(struct fxt_blame_lock *lock, struct fxt_victim *holder)
{
	if (lock->holder == holder)
		return;
	unhold(lock);
	lock->holder = holder;
	lock->held_next = holder->held;
	holder->held = lock;
}

static __u64 key_of(const struct fxt_task *task)
{
	const struct fxt_sleep_reason *r = &task->reason;

	if (fxt_reason_is_mapped(r))
		return (r->inode ^ (__u64)r->device << 32) * OBJECT_FACTOR ^ (r->offset + 1) * PROCESS_FACTOR;
	return (r->object ^ (__u64)r->kind << 56) * OBJECT_FACTOR ^
	       (fxt_reason_is_private(r) && task->process ? task->process->key * PROCESS_FACTOR : 0);
}

/* Finds or adds the lock that a thread goes to sleep for; NULL: -ENOMEM. */
static struct fxt_blame_lock *lock_find(struct fxt_blame *b, const struct fxt_task *task, __u64 ns)
{
	__u64 key = key_of(task);
	struct fxt_blame_lock *lock = fxt_map_get(&b->locks, key);

	if (lock)
		return lock;
	lock = b->free_locks;
	if (lock) {
		b->free_locks = lock->free_next;
	} else {
		lock = fxt_arena_alloc(&b->m->tasks.memory, sizeof(*lock));
		if (!lock)
			return NULL;
		fxt_blame_queue_link(b, &lock->queue);
	}
	lock->key = key;
	lock->since = ns;
	return fxt_map_put(&b->locks, key, lock) ? NULL : lock;
}

int fxt_blame_lock_enter(struct fxt_blame *b, struct fxt_victim *v, __u64 ns)
{
	struct fxt_blame_lock *lock = lock_find(b, v->task, ns);
	struct fxt_task *task = lock && v->task->reason.holder ? fxt_task_live(b->m, v->task->reason.holder) : NULL;
	struct fxt_victim *holder = task ? fxt_blame_victim(b, task) : NULL;
	int err;

	if (!lock || (task && !holder))
		return -ENOMEM;
	err = fxt_blame_lock_flush(b, lock, ns);
	if (holder)
		hold(lock, holder);
	fxt_blame_enqueue(b, &lock->queue, v, ns);
	return err;
}

void fxt_blame_lock_leave(struct fxt_blame *b, struct fxt_blame_lock *lock)
{
	if (lock->queue.oldest || lock->queue.open || lock->queue.parts)
		return;
	unhold(lock);
	fxt_map_remove(&b->locks, lock->key);
	lock->free_next = b->free_locks;
	b->free_locks = lock;
}

void fxt_blame_lock_pass(struct fxt_blame_lock *lock, struct fxt_victim *woken, const struct fxt_task *waker)
{
	if (waker && lock->holder && lock->holder->task == waker)
		hold(lock, woken);
}

void fxt_blame_locks_drop(struct fxt_victim *holder)
{
	while (holder->held)
		unhold(holder->held);
}
