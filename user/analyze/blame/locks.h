/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waits for locks: each contended lock is a queue, and its runs are the phases of its holder.  Other
 * sleeps are charged to their object.
 */
#ifndef FXT_ANALYZE_BLAME_LOCKS_H
#define FXT_ANALYZE_BLAME_LOCKS_H

#include "analyze/blame/queue.h"

/* A lock that threads wait for. */
struct fxt_blame_lock {
	struct fxt_blame_queue queue;	/* first member: a victim's queue without a CPU is a lock's */
	__u64 key;
	struct fxt_victim *holder;	/* NULL: not known */
	struct fxt_blame_lock *held_next;	/* list of the holder's locks */
	__u64 since;		/* ns, end of the runs so far */
	bool visited;		/* its runs are being completed, against cycles of holders */
	struct fxt_blame_lock *free_next;
};

/* Returns the lock that a thread waits for; NULL: none. */
static inline struct fxt_blame_lock *fxt_blame_lock_of(const struct fxt_victim *v)
{
	return v->waits && v->queue && !v->queue->cpu ? (struct fxt_blame_lock *)v->queue : NULL;
}

/* Completes the runs of the locks that a thread holds, at the end of one of its phases.  Returns 0 or -ENOMEM. */
int fxt_blame_locks_phase(struct fxt_blame *blame, struct fxt_victim *holder, const struct fxt_interval *i);

/* Puts a thread into the queue of the lock that it goes to sleep for.  Returns 0 or -ENOMEM. */
int fxt_blame_lock_enter(struct fxt_blame *blame, struct fxt_victim *victim, __u64 ns);

/* Completes the runs of the lock that a thread has waited for, up to ns.  Returns 0 or -ENOMEM. */
int fxt_blame_lock_flush(struct fxt_blame *blame, struct fxt_blame_lock *lock, __u64 ns);

/* Frees a lock that no thread waits for any more. */
void fxt_blame_lock_leave(struct fxt_blame *blame, struct fxt_blame_lock *lock);

/* Passes the lock that a woken thread has waited for to it, if its waker is the holder; NULL: not known. */
void fxt_blame_lock_pass(struct fxt_blame_lock *lock, struct fxt_victim *woken, const struct fxt_task *waker);

/* Forgets a thread that has ended as the holder of locks. */
void fxt_blame_locks_drop(struct fxt_victim *holder);

/* Returns the number of the suspect for a sleep that isn't for a lock; 0: -ENOMEM. */
__u32 fxt_blame_sleep_number(struct fxt_blame *blame, const struct fxt_task *task);

#endif
