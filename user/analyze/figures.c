// SPDX-License-Identifier: GPL-2.0-only
/* Collects figures of the threads of each name, by time blocks. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "analyze/figures.h"
#include "analyze/machine/phase.h"
#include "store/keyed.h"

/* All names beyond this number count as one. */
#define NAMES_MAX	4096u
#define OTHERS		"(others)"

/* The burst of a task so far. */
struct burst {
	struct fxt_named *named;
	char name[FXT_TASK_NAME_BYTES];	/* task's name at the last look-up */
	__u64 run;
	bool whole;	/* no part is unknown, or outside the window */
};

/* Finds a name.  Names with the same hash have the next numbers as keys. */
static struct fxt_named *find(const struct fxt_figures *f, const char *name, bool mark, __u64 *key)
{
	struct fxt_named *named;

	for (*key = fxt_keyed_bytes(name, strlen(name)) + mark; (named = fxt_map_get(&f->names, *key)); ++*key) {
		if (named->mark == mark && !strcmp(named->name, name))
			return named;
	}
	return NULL;
}

struct fxt_named *fxt_figures_get(const struct fxt_figures *f, const struct fxt_named *named)
{
	__u64 key;

	return find(f, named->name, named->mark, &key);
}

struct fxt_named *fxt_figures_named(struct fxt_figures *f, const char *name, bool mark)
{
	struct fxt_named *named;
	__u64 key;

	named = find(f, name, mark, &key);
	if (!named && f->names.count >= NAMES_MAX)
		named = find(f, name = OTHERS, mark, &key);
	if (named)
		return named;
	named = fxt_arena_alloc(&f->memory, sizeof(*named));
	if (!named || fxt_map_put(&f->names, key, named))
		return NULL;
	strcpy(named->name, name);
	named->mark = mark;
	*f->last = named;
	f->last = &named->next;
	return named;
}

/* Returns whether a task is compared: the recorder itself isn't, unless it is selected. */
static bool is_selected(const struct fxt_figures *f, const struct fxt_task *task)
{
	if (!task->key || (!fxt_selection_tasks_any(f->selection) && !strcmp(task->name, "fxtrec")))
		return false;
	return fxt_selection_task(f->selection, task);
}

/* Returns a task's name, without the number of "kworker/u8:1" or "ksoftirqd/0": work goes to any of these threads. */
static void name_of(char *name, const struct fxt_task *task)
{
	char *slash;

	memcpy(name, task->name, sizeof(task->name));
	slash = strrchr(name, '/');
	if (slash && isdigit((unsigned char)slash[1 + (slash[1] == 'u')]))
		*slash = '\0';
}

static bool is_named(const struct burst *burst, const struct fxt_task *task)
{
	return burst->named && !strcmp(burst->name, task->name);
}

/* Returns a task's burst; NULL without an error if the task isn't selected. */
static struct burst *burst_of(struct fxt_figures *f, struct fxt_task *task, int *err)
{
	struct burst *burst = task->data[f->slot];

	*err = 0;
	if (!is_selected(f, task))
		return NULL;
	*err = -ENOMEM;
	if (!burst)
		burst = task->data[f->slot] = fxt_arena_alloc(&f->m->tasks.memory, sizeof(*burst));
	if (!burst)
		return NULL;
	if (!is_named(burst, task)) {
		char name[FXT_TASK_NAME_BYTES];

		name_of(name, task);
		memcpy(burst->name, task->name, sizeof(burst->name));
		burst->named = fxt_figures_named(f, name, false);
	}
	if (!burst->named)
		return NULL;
	*err = 0;
	return burst;
}

static unsigned int block_of(const struct fxt_figures *f, __u64 ns)
{
	__u64 span = f->m->to - f->m->from, at = ns - f->m->from;

	return at >= span ? FXT_BLOCKS - 1 : (unsigned __int128)at * FXT_BLOCKS / span;
}

/* Returns the start of a block. */
static __u64 block_begin(const struct fxt_figures *f, unsigned int block)
{
	unsigned __int128 span = f->m->to - f->m->from;

	return f->m->from + (__u64)((span * block + FXT_BLOCKS - 1) / FXT_BLOCKS);
}

/* Adds a time to the blocks that it overlaps. */
static void time_add(const struct fxt_figures *f, struct fxt_amounts *amounts, __u64 from, __u64 to)
{
	unsigned int block;

	amounts->events++;
	for (block = block_of(f, from); from < to; block++) {
		__u64 end = block + 1 < FXT_BLOCKS ? block_begin(f, block + 1) : to;

		if (end > to)
			end = to;
		amounts->block[block] += end - from;
		from = end;
	}
}

int fxt_figures_add(struct fxt_figures *f, struct fxt_named *named, enum fxt_duration duration,
		    __u64 at, __u64 ns)
{
	return fxt_durations_add(&named->durations[duration], &f->memory, f->spill, block_of(f, at), ns);
}

static enum fxt_duration duration_of(enum fxt_phase phase)
{
	switch (phase) {
	case FXT_PHASE_WAIT_WAKEUP:
		return FXT_DURATION_WAKEUP;
	case FXT_PHASE_WAIT_PREEMPTED:
		return FXT_DURATION_PREEMPTED;
	case FXT_PHASE_SLEEP:
		return FXT_DURATION_SLEEP;
	case FXT_PHASE_BLOCKED:
		return FXT_DURATION_BLOCKED;
	default:
		return FXT_DURATIONS;
	}
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_figures *f = state;
	enum fxt_duration duration = duration_of(i->phase);
	int err;
	struct burst *burst = burst_of(f, i->task, &err);

	if (!burst)
		return err;
	if (i->phase == FXT_PHASE_UNKNOWN || i->earlier || i->lost || i->from != i->begin)
		burst->whole = false;
	if (i->phase != FXT_PHASE_UNKNOWN)
		burst->named->known += i->to - i->from;
	if (i->phase == FXT_PHASE_RUN && !i->lost) {
		burst->run += i->to - i->from;
		burst->named->run += i->to - i->from;
		time_add(f, &burst->named->amounts[FXT_AMOUNT_RUN], i->from, i->to);
	}
	/* A sleep is known up to its first loss. */
	if (fxt_phase_sleeps(i->phase) && i->from + i->lost < i->to)
		time_add(f, &burst->named->amounts[FXT_AMOUNT_OFF + i->task->wait], i->from, i->to - i->lost);
	if (!i->ended || i->earlier || duration == FXT_DURATIONS)
		return 0;
	return fxt_figures_add(f, burst->named, duration, i->to, i->to - i->begin);
}

static bool sleeps(const struct fxt_switch_view *view)
{
	return !view->preempted && view->state != FXT_LINUX_R;
}

static int change(void *state, const struct fxt_change *c)
{
	struct fxt_figures *f = state;
	struct fxt_amounts *switches;
	struct burst *burst;
	int err;

	if (!fxt_machine_counts(f->m, c->ns))
		return 0;
	burst = burst_of(f, c->prev, &err);
	if (!burst)
		return err;
	switches = &burst->named->amounts[FXT_AMOUNT_SWITCHES];
	switches->events++;
	switches->block[block_of(f, c->ns)]++;
	if (!sleeps(c->view))
		return 0;
	if (burst->whole)
		err = fxt_figures_add(f, burst->named, FXT_DURATION_BURST, c->ns, burst->run);
	burst->run = 0;
	burst->whole = true;
	return err;
}

static int event(void *state, const struct fxt_record *r)
{
	return fxt_figures_event(state, r);
}

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.change = change,
	.event = event,
};

void fxt_figures_init(struct fxt_figures *f, struct fxt_machine *m, struct fxt_spill *spill,
		      const struct fxt_selection *selection)
{
	*f = (struct fxt_figures){ .m = m, .selection = selection, .spill = spill, .memory.spill = spill,
				   .open.memory.spill = spill, .ns = m->to - m->from };
	f->last = &f->first;
	f->slot = fxt_machine_observe(m, &ops, f);
}

int fxt_figures_settle(struct fxt_figures *f)
{
	struct fxt_named *named;
	unsigned int i;
	int err = 0;

	f->reasons = f->m->reasons;
	f->chosen_threads = f->m->chosen_threads;
	for (named = f->first; named; named = named->next) {
		for (i = 0; i < FXT_DURATIONS && !err; i++)
			err = fxt_durations_settle(&named->durations[i], f->spill);
	}
	return err;
}

void fxt_figures_uninit(struct fxt_figures *f)
{
	struct fxt_named *named;
	unsigned int i, block;

	for (named = f->first; named; named = named->next)
		for (i = 0; i < FXT_DURATIONS; i++)
			for (block = 0; block < FXT_BLOCKS; block++)
				if (named->durations[i].block[block])
					fxt_histogram_uninit(named->durations[i].block[block], f->spill);
	fxt_map_uninit(&f->names, NULL);
	fxt_map_uninit(&f->open, NULL);
	fxt_arena_uninit(&f->memory);
}
