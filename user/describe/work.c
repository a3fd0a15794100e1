// SPDX-License-Identifier: GPL-2.0-only
/* A step of a worker: looks at a process, or describes it. */
#include <errno.h>
#include <stdlib.h>

#include "describe/proc.h"
#include "describe/process.h"
#include "describe/quota.h"
#include "describe/work.h"

/* Removes a description from those that wait for a worker.  Needs the lock. */
static void waiting_end(struct fxt_workers *w, const struct fxt_description *r)
{
	if (!r->reading && fxt_map_get(&w->waiting, r->pid) == r)
		fxt_map_remove(&w->waiting, r->pid);
}

bool fxt_workers_wait(struct fxt_workers *w, struct fxt_description *r)
{
	struct fxt_description *before = r->reading ? NULL : fxt_map_get(&w->waiting, r->pid);

	if (before) {
		before->name = r->name;
		before->renamed = true;
		return false;
	}
	/* Without memory for the entry, the process may be asked for twice. */
	if (!r->reading)
		fxt_map_put(&w->waiting, r->pid, r);
	return true;
}

/* Ends a description.  Needs the lock. */
static void description_end(struct fxt_workers *w, struct fxt_description *r)
{
	waiting_end(w, r);
	fxt_description_queue_put(&w->done, r);
	w->left--;
	w->readings -= r->reading;
	pthread_cond_signal(&w->answered);
}

/*
 * Passes on the user and marks of a process before the process is described, which may take for ever.  Needs the lock.
 */
static void looked_put(struct fxt_workers *w, const struct fxt_description *r)
{
	struct fxt_description *seen = malloc(sizeof(*seen));

	if (!seen) {
		w->err = -ENOMEM;
		return;
	}
	*seen = (struct fxt_description){ .pid = r->pid, .uid = r->uid, .marks = r->marks, .looked = true };
	fxt_description_queue_put(&w->done, seen);
	pthread_cond_signal(&w->answered);
}

void fxt_workers_look(struct fxt_workers *w)
{
	struct fxt_description *r = fxt_description_queue_get(&w->asked);
	long user = w->shares.own_user;

	w->progress = fxt_clock_mono();
	pthread_mutex_unlock(&w->lock);
	/* A reading without a process counts for the recorder's own user. */
	if (r->pid) {
		fxt_process_look(r->pid, &r->uid, &r->marks);
		user = fxt_process_user(r->pid, r->uid != ~0U);
		r->postponed = fxt_proc_state(r->pid) == 'D';
	}
	pthread_mutex_lock(&w->lock);
	w->progress = fxt_clock_mono();
	if (user < 0) {
		r->ended = true;
		description_end(w, r);
		return;
	}
	r->user = user;
	if (!r->reading)
		looked_put(w, r);
	fxt_shares_put(&w->shares, r);
}

/*
 * Finds the process with the same memory map among the processes of the same user that workers are busy with: a stuck
 * map occupies one worker, however many processes have it.  Processes of other users aren't compared: a process that
 * executes a program while its map is stuck blocks a thread that compares it.  Needs the lock, and releases it for a
 * while.
 */
static struct fxt_description *same_map(struct fxt_workers *w, const struct fxt_description *r)
{
	struct fxt_description *of[WORKERS_MAX], *found = NULL;
	__u32 pids[WORKERS_MAX];
	unsigned int count = 0, i;

	for (i = 0; i < w->numbered; i++) {
		struct fxt_description *busy = w->busy[i];

		if (!busy || busy == r || busy->reading || busy->user != r->user)
			continue;
		of[count] = busy;
		pids[count++] = busy->pid;
	}
	pthread_mutex_unlock(&w->lock);
	for (i = 0; i < count && !found; i++)
		if (fxt_process_shares(r->pid, pids[i]))
			found = of[i];
	pthread_mutex_lock(&w->lock);
	return found;
}

static bool is_busy(const struct fxt_workers *w, const struct fxt_description *r)
{
	unsigned int i;

	for (i = 0; i < w->numbered; i++)
		if (w->busy[i] == r)
			return true;
	return false;
}

/* Makes the records of a description or a reading.  -ENOMEM. */
static int records_make(struct fxt_workers *w, struct fxt_description *r)
{
	if (!r->reading)
		return fxt_process_describe(r->pid, &r->name, &r->records, &r->bytes, &r->group);
	if (r->pid)
		return fxt_naming_read(&w->naming, r->pid, r->clock, &r->records, &r->bytes, &r->cut);
	return fxt_quota_read(r->group, r->clock, &r->records, &r->bytes);
}

/* Describes a process or reads a quota.  Needs the lock, and releases it for a while. */
static int answer(struct fxt_workers *w, struct fxt_description *r)
{
	bool renamed = r->renamed;
	int err;

	pthread_mutex_unlock(&w->lock);
	/* The process's id may belong to another process by now. */
	if (renamed)
		fxt_process_look(r->pid, &r->uid, &r->marks);
	err = records_make(w, r);
	r->gone = r->reading && !r->pid && !r->bytes && fxt_quota_is_gone(r->group);
	pthread_mutex_lock(&w->lock);
	return err;
}

void fxt_workers_work(struct fxt_workers *w, unsigned int worker)
{
	struct fxt_description *r = fxt_shares_take(&w->shares), *same, *next;
	int err;

	w->busy[worker] = r;
	w->progress = fxt_clock_mono();
	same = r->reading ? NULL : same_map(w, r);
	if (same && is_busy(w, same)) {
		w->busy[worker] = NULL;
		r->next = same->sharing;
		same->sharing = r;
		fxt_shares_return(&w->shares, r);
		return;
	}
	waiting_end(w, r);
	err = answer(w, r);
	w->busy[worker] = NULL;
	w->progress = fxt_clock_mono();
	w->err = err ? err : w->err;
	fxt_shares_return(&w->shares, r);
	for (; (next = r->sharing); fxt_shares_put(&w->shares, next))
		r->sharing = next->next;
	description_end(w, r);
}
