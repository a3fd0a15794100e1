// SPDX-License-Identifier: GPL-2.0-only
/* Threads that describe processes. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "describe/proc.h"
#include "describe/work.h"
#include "source/idle.h"
#include "util/lock.h"
#include "util/time.h"

#define WORKER_STACK	((size_t)256 << 10)
/* A worker seems to be stuck after this time, and another worker continues. */
#define STUCK_NS	20000000ULL
/* The longest wait for the end of all workers. */
#define END_NS		250000000ULL

/* Returns whether there is work.  Needs the lock. */
static bool any_work(const struct fxt_workers *w)
{
	return w->asked.first || fxt_shares_ready(&w->shares);
}

static void worker_rest(struct fxt_workers *w)
{
	w->resting++;
	pthread_cond_wait(&w->work, &w->lock);
	w->resting--;
}

static void workers_free(struct fxt_workers *w)
{
	fxt_description_queue_free(&w->done);
	fxt_description_queue_free(&w->asked);
	fxt_shares_uninit(&w->shares);
	fxt_map_uninit(&w->waiting, NULL);
	fxt_naming_uninit(&w->naming);
	pthread_mutex_destroy(&w->lock);
	pthread_cond_destroy(&w->work);
	pthread_cond_destroy(&w->answered);
	free(w);
}

static void *run(void *arg)
{
	struct fxt_workers *w = arg;
	unsigned int number;
	bool last;

	/* A worker has little to do, and the recorder waits for it. */
	setpriority(PRIO_PROCESS, 0, -20);
	pthread_mutex_lock(&w->lock);
	number = w->numbered++;
	w->thread[number] = gettid();
	while (!w->end) {
		if (w->asked.first)
			fxt_workers_look(w);
		else if (any_work(w))
			fxt_workers_work(w, number);
		else
			worker_rest(w);
	}
	last = !--w->workers && w->abandoned;
	pthread_cond_signal(&w->answered);
	pthread_mutex_unlock(&w->lock);
	if (last)
		workers_free(w);
	return NULL;
}

/* Adds a worker.  Needs the lock. */
static void worker_add(struct fxt_workers *w)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (w->workers == WORKERS_MAX)
		return;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, WORKER_STACK);
	if (!pthread_create(&thread, &attributes, run, w))
		w->workers++;
	pthread_attr_destroy(&attributes);
}

/* Adds a worker where all workers seem to be stuck.  Needs the lock. */
static void workers_poll(struct fxt_workers *w)
{
	__u64 now = fxt_clock_mono();

	if (!any_work(w) || w->resting || (w->workers && now - w->progress < STUCK_NS))
		return;
	w->progress = now;
	worker_add(w);
}

struct fxt_workers *fxt_workers_open(void)
{
	struct fxt_workers *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	fxt_lock_init(&w->lock);
	pthread_cond_init(&w->work, NULL);
	pthread_cond_init(&w->answered, NULL);
	fxt_naming_init(&w->naming);
	w->shares.own_user = geteuid();
	return w;
}

struct fxt_naming *fxt_workers_naming(struct fxt_workers *w)
{
	return &w->naming;
}

void fxt_workers_ask(struct fxt_workers *w, struct fxt_description *list)
{
	struct fxt_description *next;

	pthread_mutex_lock(&w->lock);
	for (; list; list = next) {
		next = list->next;
		if (!fxt_workers_wait(w, list)) {
			fxt_description_free(list);
			continue;
		}
		fxt_description_queue_put(&w->asked, list);
		w->left++;
		w->readings += list->reading;
	}
	workers_poll(w);
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

int fxt_workers_take(struct fxt_workers *w, struct fxt_description **list)
{
	int err;

	pthread_mutex_lock(&w->lock);
	workers_poll(w);
	*list = w->done.first;
	w->done.first = NULL;
	err = w->err;
	pthread_mutex_unlock(&w->lock);
	return err;
}

__u64 fxt_workers_rest(struct fxt_workers *w)
{
	__u64 until = fxt_clock_mono() + FXT_IDLE_NS, left;
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };

	pthread_mutex_lock(&w->lock);
	if (w->left && !w->done.first)
		pthread_cond_clockwait(&w->answered, &w->lock, CLOCK_MONOTONIC, &time);
	left = w->left;
	pthread_mutex_unlock(&w->lock);
	return left;
}

/* Returns whether a worker is busy and needs only a CPU to continue.  Needs the lock. */
static bool runs(const struct fxt_workers *w, unsigned int worker)
{
	return w->busy[worker] && fxt_proc_state(w->thread[worker]) == 'R';
}

bool fxt_workers_run(struct fxt_workers *w)
{
	unsigned int i;
	bool yes;

	pthread_mutex_lock(&w->lock);
	yes = w->workers > w->numbered;
	for (i = 0; i < w->numbered && !yes; i++)
		yes = runs(w, i);
	pthread_mutex_unlock(&w->lock);
	return yes;
}

__u64 fxt_workers_stuck(struct fxt_workers *w, void *arg, void (*each)(__u32 pid, const char *name, void *arg))
{
	const struct fxt_description *late;
	unsigned int i;
	__u64 left;

	pthread_mutex_lock(&w->lock);
	left = w->left - w->readings;
	for (late = w->done.first; late; late = late->next)
		left += late->bytes > 0 && !late->reading;
	for (i = 0; i < w->numbered; i++) {
		const struct fxt_description *r = w->busy[i];
		char name[sizeof(r->name.name) + 1] = "";

		if (!r || r->reading || runs(w, i))
			continue;
		memcpy(name, &r->name.name, sizeof(r->name.name));
		each(r->pid, name, arg);
		left--;
	}
	pthread_mutex_unlock(&w->lock);
	return left;
}

/* Returns the number of workers that are busy and need more than a CPU to continue.  Needs the lock. */
static unsigned int asleep(const struct fxt_workers *w)
{
	unsigned int i, count = 0;

	for (i = 0; i < w->numbered; i++)
		count += w->busy[i] && !runs(w, i);
	return count;
}

/*
 * Ends the workers; returns whether all have ended.  Doesn't wait for workers that seem to be stuck.  Needs the lock.
 */
static bool workers_end(struct fxt_workers *w)
{
	__u64 began = fxt_clock_mono(), now = began;

	w->end = true;
	pthread_cond_broadcast(&w->work);
	while (w->workers && now - began < END_NS && (now - began < STUCK_NS || asleep(w) < w->workers)) {
		__u64 until = now + STUCK_NS;
		struct timespec time = { until / SECOND_NS, until % SECOND_NS };

		pthread_cond_clockwait(&w->answered, &w->lock, CLOCK_MONOTONIC, &time);
		now = fxt_clock_mono();
	}
	return !w->workers;
}

void fxt_workers_close(struct fxt_workers *w)
{
	bool ended;

	pthread_mutex_lock(&w->lock);
	ended = workers_end(w);
	w->abandoned = !ended;
	pthread_mutex_unlock(&w->lock);
	if (ended)
		workers_free(w);
}
