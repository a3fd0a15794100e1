// SPDX-License-Identifier: GPL-2.0-only
/* Has processes described by threads of its own. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "describe/describer.h"
#include "describe/emit.h"
#include "describe/proc.h"
#include "describe/process.h"
#include "store/map.h"
#include "util/lock.h"
#include "util/report.h"
#include "util/time.h"

/* So many processes may be stuck before all the others are. */
#define WORKERS_MAX	64u
#define WORKER_STACK	((size_t)256 << 10)
/* A worker that takes longer is taken to be stuck: another one goes on. */
#define STUCK_NS	20000000ULL
/* No process has been described for so long, and no worker runs or waits for a CPU: none that is left will be soon. */
#define STILL_NS	250000000ULL

/* A process that is asked for, and later what is known of it. */
struct request {
	struct request *next;
	__u32 pid;
	bool postponed;		/* it seemed to be stuck, and comes after all others */
	struct fxt_name_entry name;	/* that it had then */
	char *records;
	size_t bytes;		/* 0: there is nothing to describe */
};

struct queue {
	struct request *first, **last;
};

struct fxt_describer {
	pthread_mutex_t lock;
	pthread_cond_t work;	/* for the workers */
	pthread_cond_t answered;	/* for fxt_describer_wait() */
	/* Guarded by lock. */
	struct queue asked;
	struct queue done;
	struct request *busy[WORKERS_MAX];	/* by worker */
	pid_t thread[WORKERS_MAX];	/* its thread's id */
	unsigned int numbered;	/* workers that have a place in busy */
	unsigned int workers;	/* that exist */
	unsigned int resting;	/* of these, that wait for work */
	__u64 left;		/* asked for, and not done */
	__u64 progress;		/* CLOCK_MONOTONIC, when a worker took a request or answered one */
	bool end;
	int err;
	/* Of the caller's thread. */
	bool keep, global;
	struct fxt_map kept;	/* by process id: struct request */
};

static void queue_init(struct queue *q)
{
	q->first = NULL;
	q->last = &q->first;
}

static void queue_put(struct queue *q, struct request *r)
{
	r->next = NULL;
	*q->last = r;
	q->last = &r->next;
}

static struct request *queue_get(struct queue *q)
{
	struct request *r = q->first;

	if (r)
		q->first = r->next;
	if (!q->first)
		queue_init(q);
	return r;
}

static void request_free(void *request)
{
	struct request *r = request;

	if (r)
		free(r->records);
	free(r);
}

/* Describes a process, or postpones it where it waits for what can't be interrupted. */
static int answer(struct request *r, bool *postponed)
{
	*postponed = !r->postponed && fxt_proc_state(r->pid) == 'D';
	if (!*postponed)
		return fxt_process_describe(r->pid, &r->name, &r->records, &r->bytes);
	r->postponed = true;
	return 0;
}

/* With the lock, which is released meanwhile. */
static void work(struct fxt_describer *d, unsigned int worker)
{
	struct request *r = queue_get(&d->asked);
	bool postponed;
	int err;

	d->busy[worker] = r;
	d->progress = fxt_clock_mono();
	pthread_mutex_unlock(&d->lock);
	err = answer(r, &postponed);
	pthread_mutex_lock(&d->lock);
	d->busy[worker] = NULL;
	d->progress = fxt_clock_mono();
	d->err = err ? err : d->err;
	queue_put(postponed ? &d->asked : &d->done, r);
	d->left -= !postponed;
	pthread_cond_signal(&d->answered);
}

static void worker_rest(struct fxt_describer *d)
{
	d->resting++;
	pthread_cond_wait(&d->work, &d->lock);
	d->resting--;
}

static void *run(void *arg)
{
	struct fxt_describer *d = arg;
	unsigned int number;

	/* It has little to do, and is waited for. */
	setpriority(PRIO_PROCESS, 0, -20);
	pthread_mutex_lock(&d->lock);
	number = d->numbered++;
	d->thread[number] = gettid();
	while (!d->end) {
		if (d->asked.first)
			work(d, number);
		else
			worker_rest(d);
	}
	d->workers--;
	pthread_cond_signal(&d->answered);
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

/* With the lock. */
static void worker_add(struct fxt_describer *d)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (d->workers == WORKERS_MAX)
		return;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, WORKER_STACK);
	if (!pthread_create(&thread, &attributes, run, d))
		d->workers++;
	pthread_attr_destroy(&attributes);
}

int fxt_describer_open(struct fxt_describer **describer, bool keep)
{
	struct fxt_describer *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	fxt_lock_init(&d->lock);
	pthread_cond_init(&d->work, NULL);
	pthread_cond_init(&d->answered, NULL);
	queue_init(&d->asked);
	queue_init(&d->done);
	d->keep = keep;
	d->global = fxt_proc_global();
	*describer = d;
	return 0;
}

/* With the lock: another worker where all are with processes that seem to be stuck. */
static void workers_poll(struct fxt_describer *d)
{
	__u64 now = fxt_clock_mono();

	if (!d->asked.first || d->resting || (d->workers && now - d->progress < STUCK_NS))
		return;
	d->progress = now;
	worker_add(d);
}

int fxt_describer_ask(struct fxt_describer *d, struct fxt_names *names)
{
	int err = 0;
	__u32 pid;

	pthread_mutex_lock(&d->lock);
	while (!err && (pid = fxt_names_changed(names))) {
		const struct fxt_name_entry *entry = fxt_names_get(names, pid);
		struct request *r = d->global && entry ? malloc(sizeof(*r)) : NULL;

		if (!d->global || !entry)
			continue;
		if (!r)
			err = -ENOMEM;
		else
			*r = (struct request){ .pid = pid, .name = *entry };
		if (r)
			queue_put(&d->asked, r);
		d->left += !!r;
	}
	workers_poll(d);
	pthread_cond_signal(&d->work);
	pthread_mutex_unlock(&d->lock);
	return err;
}

/* Takes what a worker has done. */
static int take(struct fxt_describer *d, struct request *r, const struct fxt_sink *to)
{
	int err = 0;

	if (r->bytes && to)
		err = fxt_sink_put(to, r->records, r->bytes);
	if (!r->bytes || !d->keep) {
		request_free(r);
		return err;
	}
	request_free(fxt_map_remove(&d->kept, r->pid));
	if (fxt_map_put(&d->kept, r->pid, r)) {
		request_free(r);
		return -ENOMEM;
	}
	return err;
}

int fxt_describer_poll(struct fxt_describer *d, const struct fxt_sink *to)
{
	struct request *r, *next;
	int err;

	pthread_mutex_lock(&d->lock);
	workers_poll(d);
	r = d->done.first;
	queue_init(&d->done);
	err = d->err;
	pthread_mutex_unlock(&d->lock);
	for (; r; r = next) {
		int failed;

		next = r->next;
		failed = take(d, r, to);
		err = err ? err : failed;
	}
	return err;
}

/* For a moment at most, until a process is described.  How many are left. */
static __u64 rest(struct fxt_describer *d)
{
	__u64 until = fxt_clock_mono() + FXT_IDLE_NS, left;
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };

	pthread_mutex_lock(&d->lock);
	if (d->left && !d->done.first)
		pthread_cond_clockwait(&d->answered, &d->lock, CLOCK_MONOTONIC, &time);
	left = d->left;
	pthread_mutex_unlock(&d->lock);
	return left;
}

/* With the lock: whether a worker has something to do, and needs no more for it than a CPU. */
static bool runs(const struct fxt_describer *d, unsigned int worker)
{
	return d->busy[worker] && fxt_proc_state(d->thread[worker]) == 'R';
}

/* Whether any does, or has not begun yet. */
static bool some_run(struct fxt_describer *d)
{
	unsigned int i;
	bool yes;

	pthread_mutex_lock(&d->lock);
	yes = d->workers > d->numbered;
	for (i = 0; i < d->numbered && !yes; i++)
		yes = runs(d, i);
	pthread_mutex_unlock(&d->lock);
	return yes;
}

int fxt_describer_wait(struct fxt_describer *d, __u64 longest_ns, const struct fxt_sink *to,
		       struct fxt_idle *idle)
{
	__u64 began = fxt_clock_mono(), moved = began, before = ~0ULL, left;
	int err = 0;

	while (!err && (left = rest(d))) {
		__u64 now = fxt_clock_mono();

		if (left < before || (now - moved >= STILL_NS && some_run(d)))
			moved = now;
		before = left;
		if (now - began >= longest_ns || now - moved >= STILL_NS)
			break;
		err = fxt_describer_poll(d, to);
		fxt_idle_run(idle);
	}
	return err ? err : fxt_describer_poll(d, to);
}

/* Those that names has forgotten. */
static void kept_prune(struct fxt_describer *d, const struct fxt_names *names)
{
	struct fxt_map kept = {};
	struct request *r;
	size_t at = 0;

	while ((r = fxt_map_next(&d->kept, &at)))
		if (!fxt_names_get(names, r->pid) || fxt_map_put(&kept, r->pid, r))
			request_free(r);
	fxt_map_uninit(&d->kept, NULL);
	d->kept = kept;
}

int fxt_describer_repeat(struct fxt_describer *d, const struct fxt_names *names,
			 const struct fxt_sink *to, struct fxt_idle *idle)
{
	const struct request *r;
	size_t at = 0;
	int err = 0;

	kept_prune(d, names);
	while (!err && (r = fxt_map_next(&d->kept, &at))) {
		err = fxt_sink_put(to, r->records, r->bytes);
		fxt_idle_run(idle);
	}
	return err;
}

/* Processes that keep a worker asleep, by id and name; returns how many others are left. */
static __u64 stuck_each(struct fxt_describer *d, void *arg,
			void (*each)(__u32 pid, const char *name, void *arg))
{
	unsigned int i;
	__u64 left;

	pthread_mutex_lock(&d->lock);
	left = d->left;
	for (i = 0; i < d->numbered; i++) {
		const struct request *r = d->busy[i];
		char name[sizeof(r->name.name) + 1] = "";

		if (!r || runs(d, i))
			continue;
		memcpy(name, &r->name.name, sizeof(r->name.name));
		each(r->pid, name, arg);
		left--;
	}
	pthread_mutex_unlock(&d->lock);
	return left;
}

struct missing {
	FILE *f;
	__u64 ticks;
};

static void missing_put(__u32 pid, const char *name, void *arg)
{
	const struct missing *m = arg;
	struct fxt_emit_args args = {};

	fxt_emit_arg_koid(&args, "process", pid);
	fxt_emit_arg_text(&args, "name", name);
	fxt_emit_instant(m->f, m->ticks, "undescribed", &args);
}

int fxt_describer_missing(struct fxt_describer *d, __u64 ticks, const struct fxt_sink *to)
{
	struct fxt_emit_args args = {};
	struct missing missing = { .ticks = ticks };
	struct fxt_emit e;
	__u64 others;

	if (fxt_emit_open(&e))
		return -ENOMEM;
	missing.f = e.f;
	fxt_emit_self(e.f);
	others = stuck_each(d, &missing, missing_put);
	fxt_emit_arg_number(&args, "processes", others);
	if (others)
		fxt_emit_instant(e.f, ticks, "undescribed", &args);
	return fxt_emit_close(&e, 0, to);
}

static void missing_report(__u32 pid, const char *name, void *arg)
{
	(void)arg;
	fxt_report("process %u (%s) is stuck: the recording has its name alone", pid, name);
}

void fxt_describer_report(struct fxt_describer *d)
{
	__u64 others = d ? stuck_each(d, NULL, missing_report) : 0;

	if (others)
		fxt_report("%llu more processes: the recording has their names alone", others);
}

static void queue_free(struct queue *q)
{
	struct request *r;

	while ((r = queue_get(q)))
		request_free(r);
}

/* With the lock: whether all workers have ended. */
static bool workers_end(struct fxt_describer *d)
{
	__u64 until = fxt_clock_mono() + STILL_NS;
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };
	int err = 0;

	d->end = true;
	pthread_cond_broadcast(&d->work);
	while (d->workers && !err)
		err = pthread_cond_clockwait(&d->answered, &d->lock, CLOCK_MONOTONIC, &time);
	return !d->workers;
}

void fxt_describer_close(struct fxt_describer *d)
{
	bool ended;

	if (!d)
		return;
	pthread_mutex_lock(&d->lock);
	ended = workers_end(d);
	pthread_mutex_unlock(&d->lock);
	queue_free(&d->done);
	/* A worker that is stuck has the rest until the recorder's end. */
	if (!ended)
		return;
	queue_free(&d->asked);
	fxt_map_uninit(&d->kept, request_free);
	pthread_mutex_destroy(&d->lock);
	pthread_cond_destroy(&d->work);
	pthread_cond_destroy(&d->answered);
	free(d);
}
