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
#include "describe/process.h"
#include "describe/quota.h"
#include "describe/workers.h"
#include "source/idle.h"
#include "util/lock.h"
#include "util/time.h"

/* So many processes may be stuck before all the others are. */
#define WORKERS_MAX	64u
#define WORKER_STACK	((size_t)256 << 10)
/* A worker that takes longer is taken to be stuck: another one goes on. */
#define STUCK_NS	20000000ULL
/* So long the end of all is waited for. */
#define END_NS		250000000ULL

struct queue {
	struct fxt_description *first, **last;
};

struct fxt_workers {
	pthread_mutex_t lock;
	pthread_cond_t work;	/* for the workers */
	pthread_cond_t answered;	/* for the caller */
	/* Guarded by lock. */
	struct queue asked;
	struct queue done;
	struct fxt_description *busy[WORKERS_MAX];	/* by worker */
	pid_t thread[WORKERS_MAX];	/* its thread's id */
	unsigned int numbered;	/* workers that have a place in busy */
	unsigned int workers;	/* that exist */
	unsigned int resting;	/* of these, that wait for work */
	__u64 left;		/* asked for, and not done */
	__u64 progress;		/* CLOCK_MONOTONIC, when a worker took a process or described one */
	bool end;
	bool abandoned;		/* the last worker frees all of this */
	int err;
};

static void queue_init(struct queue *q)
{
	q->first = NULL;
	q->last = &q->first;
}

static void queue_put(struct queue *q, struct fxt_description *r)
{
	r->next = NULL;
	*q->last = r;
	q->last = &r->next;
}

static struct fxt_description *queue_get(struct queue *q)
{
	struct fxt_description *r = q->first;

	if (r)
		q->first = r->next;
	if (!q->first)
		queue_init(q);
	return r;
}

void fxt_description_free(void *description)
{
	struct fxt_description *r = description;

	if (!r)
		return;
	free(r->records);
	free(r->group);
	free(r);
}

/* Describes a process, or postpones it where it waits for what can't be interrupted. */
static int answer(struct fxt_description *r, bool *postponed)
{
	*postponed = false;
	if (r->reading)
		return fxt_quota_read(r->group, r->clock, &r->records, &r->bytes);
	if (!r->postponed)
		fxt_process_look(r->pid, &r->uid, &r->marks);
	*postponed = !r->postponed && fxt_proc_state(r->pid) == 'D';
	if (!*postponed)
		return fxt_process_describe(r->pid, &r->name, &r->records, &r->bytes, &r->group);
	r->postponed = true;
	return 0;
}

/* With the lock, which is released meanwhile. */
static void work(struct fxt_workers *w, unsigned int worker)
{
	struct fxt_description *r = queue_get(&w->asked);
	bool postponed;
	int err;

	w->busy[worker] = r;
	w->progress = fxt_clock_mono();
	pthread_mutex_unlock(&w->lock);
	err = answer(r, &postponed);
	pthread_mutex_lock(&w->lock);
	w->busy[worker] = NULL;
	w->progress = fxt_clock_mono();
	w->err = err ? err : w->err;
	queue_put(postponed ? &w->asked : &w->done, r);
	w->left -= !postponed;
	pthread_cond_signal(&w->answered);
}

static void worker_rest(struct fxt_workers *w)
{
	w->resting++;
	pthread_cond_wait(&w->work, &w->lock);
	w->resting--;
}

static void queue_free(struct queue *q)
{
	struct fxt_description *r;

	while ((r = queue_get(q)))
		fxt_description_free(r);
}

static void workers_free(struct fxt_workers *w)
{
	queue_free(&w->done);
	queue_free(&w->asked);
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

	/* It has little to do, and is waited for. */
	setpriority(PRIO_PROCESS, 0, -20);
	pthread_mutex_lock(&w->lock);
	number = w->numbered++;
	w->thread[number] = gettid();
	while (!w->end) {
		if (w->asked.first)
			work(w, number);
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

/* With the lock. */
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

/* With the lock: another worker where all are with processes that seem to be stuck. */
static void workers_poll(struct fxt_workers *w)
{
	__u64 now = fxt_clock_mono();

	if (!w->asked.first || w->resting || (w->workers && now - w->progress < STUCK_NS))
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
	queue_init(&w->asked);
	queue_init(&w->done);
	return w;
}

void fxt_workers_ask(struct fxt_workers *w, struct fxt_description *list)
{
	struct fxt_description *next;

	pthread_mutex_lock(&w->lock);
	for (; list; list = next) {
		next = list->next;
		queue_put(&w->asked, list);
		w->left++;
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
	queue_init(&w->done);
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

/* With the lock: whether a worker has something to do, and needs no more for it than a CPU. */
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
	left = w->left;
	for (late = w->done.first; late; late = late->next)
		left += late->bytes > 0 && !late->reading;
	for (late = w->asked.first; late; late = late->next)
		left -= late->reading;
	for (i = 0; i < w->numbered; i++) {
		const struct fxt_description *r = w->busy[i];
		char name[sizeof(r->name.name) + 1] = "";

		left -= r && r->reading;
		if (!r || r->reading || runs(w, i))
			continue;
		memcpy(name, &r->name.name, sizeof(r->name.name));
		each(r->pid, name, arg);
		left--;
	}
	pthread_mutex_unlock(&w->lock);
	return left;
}

/* With the lock: whether all workers have ended. */
static bool workers_end(struct fxt_workers *w)
{
	__u64 until = fxt_clock_mono() + END_NS;
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };
	int err = 0;

	w->end = true;
	pthread_cond_broadcast(&w->work);
	while (w->workers && !err)
		err = pthread_cond_clockwait(&w->answered, &w->lock, CLOCK_MONOTONIC, &time);
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
