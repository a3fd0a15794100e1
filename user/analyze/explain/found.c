// SPDX-License-Identifier: GPL-2.0-only
/* Makes findings of causes: joins causes with one explanation. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/explain/explain.h"
#include "util/array.h"

/* Findings with a lesser share are a part of the rest. */
#define LEAST_SHARE	0.01
/* A wait behind a thread is one of placement if another CPU was idle for that share of it. */
#define IDLE_SHARE	0.5
/* Threads of a fork storm, at least, and the share of them that live for less than a second. */
#define FORKS_LEAST	10u
#define FORKS_SHARE	0.5
/* A program is the neighbour if it has that share of the waits behind other programs; otherwise there are too many. */
#define NEIGHBOUR_SHARE	0.5
#define CROWD_PROGRAMS	3u

/* A convoy has that many holders of a lock in a unit, at least, and the longest has less than that share of the wait. */
#define CONVOY_HOLDERS	3
#define CONVOY_SHARE	0.5

static double ordinary_mean(const struct fxt_explain *e, const struct fxt_cause *c)
{
	return e->answer == FXT_ANSWER_TAIL ? c->ordinary / e->causes.ordinary_count : 0;
}

static double excess(const struct fxt_explain *e, const struct fxt_cause *c)
{
	return c->slow / e->causes.slow_count - ordinary_mean(e, c);
}

/* Returns the variance of a cause's mean over the slow units. */
static double variance(const struct fxt_explain *e, const struct fxt_cause *c)
{
	double n = e->causes.slow_count, mean = c->slow / n;

	return n > 1 ? (c->squares / n - mean * mean) / (n - 1) : 0;
}

/* Returns whether a program waits behind its own threads. */
static bool is_own(const struct fxt_explain *e, const struct fxt_cause *c)
{
	const struct fxt_task *task = c->moments[0].task;

	return (e->group && c->key.threads == e->group->name) ||
	       (task && c->task && task->process && task->process == c->task->process);
}

/* Returns the finding of a cause on its own. */
static enum fxt_finding finding_of(const struct fxt_explain *e, const struct fxt_cause *c)
{
	/* More workers need a CPU to run on. */
	if (c->key.finding == FXT_FINDING_POOL && c->idle < IDLE_SHARE * c->slow)
		return FXT_FINDING_STAGE;
	if (c->key.finding != FXT_FINDING_NEIGHBOUR)
		return c->key.finding;
	if (c->idle > IDLE_SHARE * c->slow)
		return FXT_FINDING_PLACEMENT;
	if (c->brief >= FORKS_LEAST && c->brief > FORKS_SHARE * c->threads)
		return FXT_FINDING_FORKS;
	return is_own(e, c) ? FXT_FINDING_CROWD : FXT_FINDING_NEIGHBOUR;
}

/* Returns whether causes of a finding with different threads, or with different objects, are different findings. */
static bool by_threads(enum fxt_finding finding)
{
	return finding == FXT_FINDING_NEIGHBOUR || finding == FXT_FINDING_REALTIME || finding == FXT_FINDING_STAGE ||
	       finding == FXT_FINDING_POOL;
}

static bool by_object(enum fxt_finding finding)
{
	return finding == FXT_FINDING_LOCK || finding == FXT_FINDING_INVERSION || finding == FXT_FINDING_THROTTLED;
}

static bool same(const struct fxt_found *f, enum fxt_finding finding, const struct fxt_cause *c)
{
	return f->finding == finding && (!by_threads(finding) || f->members[0]->key.threads == c->key.threads) &&
	       (!by_object(finding) || f->members[0]->key.object == c->key.object);
}

/* Adds a cause to the members of a finding, the greatest first. */
static void member_add(const struct fxt_explain *e, struct fxt_found *f, const struct fxt_cause *c)
{
	unsigned int i;

	f->count++;
	f->ns += excess(e, c);
	f->variance += variance(e, c);
	for (i = 0; i < FXT_FOUND_MEMBERS; i++) {
		const struct fxt_cause *other = f->members[i];

		if (other && excess(e, other) >= excess(e, c))
			continue;
		f->members[i] = c;
		c = other;
		if (!c)
			break;
	}
}

static int cause_add(struct fxt_explain *e, const struct fxt_cause *c, enum fxt_finding finding)
{
	size_t i;

	for (i = 0; i < e->found_count && !same(&e->found[i], finding, c); i++)
		;
	if (i == e->found_count) {
		if (fxt_array_more(e->found, e->found_count))
			return -ENOMEM;
		e->found[e->found_count++] = (struct fxt_found){ .finding = finding };
	}
	member_add(e, &e->found[i], c);
	return 0;
}

/* Returns the sum of the excesses of a finding's causes, and counts the causes. */
static double sum_of(const struct fxt_explain *e, enum fxt_finding finding, size_t *count, double *greatest)
{
	const struct fxt_cause *c;
	double ns = 0;

	for (c = e->causes.first; c; c = c->next) {
		double more = excess(e, c);

		if (finding_of(e, c) != finding || more <= 0)
			continue;
		ns += more;
		*count += more > LEAST_SHARE * e->lateness;
		*greatest = more > *greatest ? more : *greatest;
	}
	return ns;
}

static int descending(const void *a, const void *b)
{
	const struct fxt_found *x = a, *y = b;

	if ((x->finding == FXT_FINDING_UNKNOWN) != (y->finding == FXT_FINDING_UNKNOWN))
		return x->finding == FXT_FINDING_UNKNOWN ? 1 : -1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (int)x->finding - (int)y->finding;
}

/* Returns whether a lock goes from thread to thread, each for a short time. */
static bool is_convoy(const struct fxt_explain *e, const struct fxt_found *f)
{
	double longest = 0, slow = 0, holders = 0;
	size_t i;

	for (i = 0; i < FXT_FOUND_MEMBERS && f->members[i]; i++) {
		longest += f->members[i]->longest;
		holders += f->members[i]->holders;
		slow += f->members[i]->slow;
	}
	return f->finding == FXT_FINDING_LOCK && holders >= CONVOY_HOLDERS * e->causes.slow_count && longest < CONVOY_SHARE * slow;
}

/* Joins the inversion of a lock with the other waits for it, and names convoys. */
static void locks_join(struct fxt_explain *e)
{
	size_t i, k;

	for (i = 0; i < e->found_count; i++) {
		struct fxt_found *inversion = &e->found[i];

		for (k = 0; k < e->found_count && inversion->finding == FXT_FINDING_INVERSION; k++) {
			struct fxt_found *lock = &e->found[k];

			if (lock->finding != FXT_FINDING_LOCK || lock->members[0]->key.object != inversion->members[0]->key.object)
				continue;
			if (lock->ns > inversion->ns)
				inversion->finding = FXT_FINDING_LOCK;
			inversion->ns += lock->ns;
			inversion->variance += lock->variance;
			inversion->count += lock->count;
			lock->ns = 0;
		}
	}
	for (i = 0; i < e->found_count; i++)
		if (is_convoy(e, &e->found[i]))
			e->found[i].finding = FXT_FINDING_CONVOY;
}

/* Leaves small findings to the rest, which is not explained. */
static int rest_set(struct fxt_explain *e)
{
	double rest = e->lateness;
	size_t i, count = 0;

	for (i = 0; i < e->found_count; i++) {
		struct fxt_found *f = &e->found[i];

		f->share = f->ns / e->lateness;
		if (f->finding == FXT_FINDING_UNKNOWN || f->share < LEAST_SHARE)
			continue;
		rest -= f->ns;
		e->found[count++] = *f;
	}
	e->found_count = count;
	if (fxt_array_more(e->found, e->found_count))
		return -ENOMEM;
	e->found[e->found_count++] = (struct fxt_found){
		.finding = FXT_FINDING_UNKNOWN, .ns = rest, .share = rest / e->lateness,
	};
	return 0;
}

int fxt_explain_find(struct fxt_explain *e)
{
	const struct fxt_cause *c;
	double neighbours, greatest = 0;
	size_t programs = 0;
	bool crowd;
	int err = 0;

	if (e->answer <= FXT_ANSWER_QUIET)
		return 0;
	neighbours = sum_of(e, FXT_FINDING_NEIGHBOUR, &programs, &greatest);
	crowd = programs >= CROWD_PROGRAMS && greatest < NEIGHBOUR_SHARE * neighbours;
	for (c = e->causes.first; c && !err; c = c->next) {
		enum fxt_finding finding = finding_of(e, c);

		if (finding == FXT_FINDING_OWN && e->answer == FXT_ANSWER_ALL)
			continue;
		err = cause_add(e, c, finding == FXT_FINDING_NEIGHBOUR && crowd ? FXT_FINDING_CROWD : finding);
	}
	if (err)
		return err;
	locks_join(e);
	err = rest_set(e);
	if (!err)
		qsort(e->found, e->found_count, sizeof(*e->found), descending);
	return err;
}
