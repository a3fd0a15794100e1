/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of the workers, and one step of a worker; for describe/workers.c alone. */
#ifndef FXT_DESCRIBE_WORK_H
#define FXT_DESCRIBE_WORK_H

#include <pthread.h>
#include <sys/types.h>

#include "describe/shares.h"
#include "describe/workers.h"
#include "store/map.h"

/* Two more than processes may be stuck: they look at new ones, which doesn't wait. */
#define WORKERS_MAX	(FXT_SHARE_OWN + FXT_SHARE_OTHERS + 2)

struct fxt_workers {
	pthread_mutex_t lock;
	pthread_cond_t work;	/* for the workers */
	pthread_cond_t answered;	/* for the caller */
	/* Guarded by lock. */
	struct fxt_description_queue asked;	/* not looked at yet */
	struct fxt_shares shares;	/* those that were */
	struct fxt_map waiting;	/* by process id: descriptions that no worker has taken */
	struct fxt_description_queue done;
	struct fxt_description *busy[WORKERS_MAX];	/* by worker */
	pid_t thread[WORKERS_MAX];	/* its thread's id */
	unsigned int numbered;	/* workers that have a place in busy */
	unsigned int workers;	/* that exist */
	unsigned int resting;	/* of these, that wait for work */
	__u64 left;		/* asked for, and not done */
	__u64 readings;		/* of these */
	__u64 progress;		/* CLOCK_MONOTONIC, when a worker took a process or described one */
	bool end;
	bool abandoned;		/* the last worker frees all of this */
	int err;
};

/* All with the lock, which the last two release for a while. */

/* Has a description wait for a worker.  False where another one of the process does, which gets its name. */
bool fxt_workers_wait(struct fxt_workers *w, struct fxt_description *description);

/* Looks at the next process that was asked for, and finds the user that it works for. */
void fxt_workers_look(struct fxt_workers *w);

/* Describes the next process, or leaves it to the worker that is with one of the same memory map. */
void fxt_workers_work(struct fxt_workers *w, unsigned int worker);

#endif
