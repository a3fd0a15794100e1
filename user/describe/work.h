/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of the workers, and one step of a worker; only for describe/workers.c. */
#ifndef FXT_DESCRIBE_WORK_H
#define FXT_DESCRIBE_WORK_H

#include <pthread.h>
#include <sys/types.h>

#include "describe/shares.h"
#include "describe/workers.h"
#include "store/map.h"

/* Two more than the processes that may be stuck: these two look at new processes, which doesn't wait. */
#define WORKERS_MAX	(FXT_SHARE_OWN + FXT_SHARE_OTHERS + 2)

struct fxt_workers {
	pthread_mutex_t lock;
	pthread_cond_t work;	/* wakes the workers */
	pthread_cond_t answered;	/* wakes the caller */
	/* Guarded by lock. */
	struct fxt_description_queue asked;	/* not looked at yet */
	struct fxt_shares shares;	/* queues of processes that were looked at */
	struct fxt_map waiting;	/* descriptions that no worker has taken, by process id */
	struct fxt_description_queue done;
	struct fxt_description *busy[WORKERS_MAX];	/* by worker */
	pid_t thread[WORKERS_MAX];	/* id of each worker's thread */
	unsigned int numbered;	/* workers that have an index in busy */
	unsigned int workers;	/* workers that exist */
	unsigned int resting;	/* workers that wait for work */
	__u64 left;		/* requests that are not done */
	__u64 readings;		/* requested readings that are not done */
	__u64 progress;		/* CLOCK_MONOTONIC when a worker last took a process or described one */
	struct fxt_naming naming;	/* with a lock of its own */
	bool end;
	bool abandoned;		/* the last worker frees this structure */
	int err;
};

/* All need the lock, which the last two release for a while. */

/*
 * Has a description wait for a worker.  False where another description of the process waits already, which gets the
 * new name.
 */
bool fxt_workers_wait(struct fxt_workers *w, struct fxt_description *description);

/* Looks at the next process that was asked for, and finds the user that the process works for. */
void fxt_workers_look(struct fxt_workers *w);

/* Describes the next process, or leaves it to the worker that is busy with one of the same memory map. */
void fxt_workers_work(struct fxt_workers *w, unsigned int worker);

#endif
