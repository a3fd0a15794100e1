// SPDX-License-Identifier: GPL-2.0-only
/* Laps: windows of one length that follow each other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/laps.h"
#include "analyze/phase.h"

/* An account, and those of the same task of older laps. */
struct lap_account {
	struct fxt_account account;
	struct fxt_lap *lap;
	struct lap_account *older;
};

static __u64 max(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

static __u64 min(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

static bool counts(const struct fxt_lap *lap, __u64 ns)
{
	return ns >= lap->from && ns < lap->events_to;
}

/* Its place in the list of its task. */
static struct lap_account **place_of(struct fxt_laps *l, struct fxt_task *task, const struct fxt_lap *lap)
{
	struct lap_account **at = (struct lap_account **)&task->data[l->slot];

	fxt_spill_touch(l->m->spill, task);
	while (*at && (*at)->lap != lap && (*at)->lap->from > lap->from) {
		at = &(*at)->older;
		fxt_spill_touch(l->m->spill, *at);
	}
	return at;
}

static struct fxt_account *account_of(struct fxt_laps *l, struct fxt_task *task, struct fxt_lap *lap)
{
	struct lap_account **at = place_of(l, task, lap), *more = *at;

	if (more && more->lap == lap)
		return &more->account;
	more = fxt_spill_alloc(l->m->spill, sizeof(*more));
	if (!more)
		return NULL;
	more->lap = lap;
	more->account.task = task;
	more->account.threads = 1;
	more->account.next = lap->accounts.first;
	lap->accounts.first = &more->account;
	lap->accounts.count++;
	/* With a spill that may have moved what is in memory. */
	at = l->m->spill ? place_of(l, task, lap) : at;
	more->older = *at;
	*at = more;
	return &more->account;
}

/* Adds a part of a task's life, which was from begin to end, to a lap. */
static int part_add(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_interval *i)
{
	struct fxt_account *account;

	if (i->from >= i->to && !i->counts)
		return 0;
	account = account_of(l, i->task, lap);
	return account ? fxt_account_interval(account, l->m->spill, i) : -ENOMEM;
}

/* The same, cut to the lap; from, to: the part. */
static int part_cut(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_interval *i, __u64 from, __u64 to)
{
	i->from = max(from, lap->from);
	i->to = max(i->from, min(to, lap->to));
	i->lost = fxt_phase_lost(l->m, i->task, i->phase, i->begin, i->from, i->to);
	i->counts = i->ended && counts(lap, i->end);
	return part_add(l, lap, i);
}

static int interval(void *state, const struct fxt_interval *ended)
{
	struct fxt_laps *l = state;
	struct fxt_interval i = *ended;
	struct fxt_lap *lap;
	int err = 0;

	/* The machine has cut it to the newest one. */
	for (lap = l->oldest; lap && lap->newer && !err; lap = lap->newer)
		if (i.begin < lap->events_to)
			err = part_cut(l, lap, &i, i.begin, i.end);
	if (err || !lap)
		return err;
	i = *ended;
	return part_add(l, lap, &i);
}

static struct fxt_load *load_of(struct fxt_lap *lap, struct fxt_cpu *cpu)
{
	__u32 count = lap->cpu_count ? lap->cpu_count : 8;
	struct fxt_load *loads;

	while (count <= cpu->id)
		count *= 2;
	if (count > lap->cpu_count) {
		loads = realloc(lap->loads, count * sizeof(*loads));
		if (!loads)
			return NULL;
		memset(loads + lap->cpu_count, 0, (count - lap->cpu_count) * sizeof(*loads));
		lap->loads = loads;
		lap->cpu_count = count;
	}
	lap->loads[cpu->id].cpu = cpu;
	return &lap->loads[cpu->id];
}

/* Adds a part of a stretch to a lap. */
static int stretch_cut(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_cpu_stretch *s, __u64 from, __u64 to)
{
	struct fxt_load *load;

	s->from = max(from, lap->from);
	s->to = min(to, lap->to);
	if (s->from >= s->to)
		return 0;
	s->lost = s->task ? fxt_gaps_overlap(&s->cpu->gaps, l->m->spill, s->from, s->to) : 0;
	load = load_of(lap, s->cpu);
	if (!load)
		return -ENOMEM;
	fxt_load_stretch(load, s);
	return 0;
}

static int stretch(void *state, const struct fxt_cpu_stretch *ended)
{
	struct fxt_laps *l = state;
	struct fxt_cpu_stretch s = *ended;
	struct fxt_lap *lap;
	int err = 0;

	for (lap = l->oldest; lap && !err; lap = lap->newer)
		err = stretch_cut(l, lap, &s, s.begin, s.end);
	return err;
}

static int change(void *state, const struct fxt_change *c)
{
	struct fxt_laps *l = state;
	struct fxt_account *account;

	if (!c->prev->key || !l->newest || !counts(l->newest, c->ns))
		return 0;
	account = account_of(l, c->prev, l->newest);
	if (!account)
		return -ENOMEM;
	fxt_account_change(account, c);
	return 0;
}

static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_laps *l = state;
	struct fxt_account *account;

	if (!l->newest || !counts(l->newest, ns))
		return 0;
	account = account_of(l, task, l->newest);
	return account ? fxt_account_wakeup(account, l->m->spill, view, ns) : -ENOMEM;
}

static int migrate(void *state, struct fxt_task *task, const struct fxt_migrate_view *view, __u64 ns)
{
	struct fxt_laps *l = state;
	struct fxt_account *account;

	(void)view;
	if (!l->newest || !counts(l->newest, ns))
		return 0;
	account = account_of(l, task, l->newest);
	if (!account)
		return -ENOMEM;
	account->migrations++;
	return 0;
}

/* Its life in a lap, up to its end, or to ~0. */
static int life_set(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_task *task, __u64 end)
{
	struct fxt_account *account;

	if (end < lap->from || task->begin >= lap->events_to)
		return 0;
	account = account_of(l, task, lap);
	if (!account)
		return -ENOMEM;
	account->begin = max(task->begin, lap->from);
	account->end = min(end, lap->to);
	return fxt_account_settle(account, l->m->spill);
}

/* Where memory has no file to go to, it is another task's once no lap has this one. */
static int dead_add(struct fxt_laps *l, struct fxt_task *task)
{
	struct fxt_task **dead;

	if (l->m->spill)
		return 0;
	if (l->dead_count == l->dead_room) {
		size_t room = l->dead_room ? 2 * l->dead_room : 256;

		dead = realloc(l->dead, room * sizeof(*dead));
		if (!dead)
			return -ENOMEM;
		l->dead = dead;
		l->dead_room = room;
	}
	l->dead[l->dead_count++] = task;
	return 0;
}

/* Nothing but live threads, which they woke, refers to those that died before all laps. */
static void dead_forget(struct fxt_laps *l)
{
	struct fxt_task *task;
	__u64 at = 0;
	size_t i, count = 0;

	while ((task = fxt_tasks_next(&l->m->tasks, &at)))
		if (task->waker && task->waker->phase == FXT_PHASE_DEAD)
			task->waker = NULL;
	for (i = 0; i < l->dead_count; i++) {
		task = l->dead[i];
		if (task->end < l->oldest->from)
			fxt_tasks_recycle(&l->m->tasks, task);
		else
			l->dead[count++] = task;
	}
	l->dead_count = count;
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_laps *l = state;
	struct fxt_lap *lap;
	int err = 0;

	for (lap = l->oldest; lap && !err; lap = lap->newer)
		err = life_set(l, lap, task, task->end);
	return err ? err : dead_add(l, task);
}

static int loss(void *state, const struct fxt_loss_span *span)
{
	struct fxt_laps *l = state;
	struct fxt_origin_loss *lost = calloc(1, sizeof(*lost));

	if (!lost)
		return -ENOMEM;
	lost->span = *span;
	lost->next = l->losses;
	l->losses = lost;
	return 0;
}

static const struct fxt_observer_ops ops = {
	.interval = interval,
	.stretch = stretch,
	.change = change,
	.wakeup = wakeup,
	.migrate = migrate,
	.loss = loss,
	.task_end = task_end,
};

void fxt_laps_init(struct fxt_laps *l, struct fxt_machine *m, __u64 length, unsigned int patience)
{
	int (*show)(void *arg, struct fxt_lap *lap) = l->show;
	void *arg = l->arg;

	*l = (struct fxt_laps){
		.m = m,
		.from = m->from,
		.to = m->to == m->end ? ~0ULL : m->to,
		.length = length,
		.patience = patience,
		.show = show,
		.arg = arg,
	};
	m->follows = true;
	fxt_loads_init(&l->now, m);
	fxt_origin_facts(&l->origin, m);
	l->slot = fxt_machine_observe(m, &ops, l);
	l->loads = (struct fxt_loads){ .m = m, .slot = l->slot };
	/* Until the first one begins, nothing is in the window. */
	fxt_machine_window(m, m->begin, m->begin);
}

void fxt_laps_begin(struct fxt_laps *l, __u64 ns)
{
	l->from = ns;
	fxt_machine_window(l->m, l->m->begin, l->m->begin);
}

/* Whether what a thread did at a lap's end may still be learned. */
static bool open_task(const struct fxt_lap *lap, const struct fxt_task *task)
{
	return task->phase != FXT_PHASE_DEAD && task->woken && task->phase != FXT_PHASE_RUN &&
	       task->since < lap->to;
}

/* Up to when it is known what a CPU runs that was not heard of since a loss. */
static __u64 sure_of(const struct fxt_laps *l, const struct fxt_cpu *cpu, __u64 to)
{
	return cpu->current ? fxt_gaps_before(&cpu->gaps, l->m->spill, cpu->sure, to) : to;
}

static bool complete(const struct fxt_laps *l, const struct fxt_lap *lap)
{
	struct fxt_task *task;
	__u64 at = 0;
	__u32 i;

	for (i = 0; i < l->m->cpu_count; i++)
		if (l->m->cpus[i] && sure_of(l, l->m->cpus[i], lap->to) < lap->to)
			return false;
	while ((task = fxt_tasks_next(&l->m->tasks, &at)))
		if (open_task(lap, task))
			return false;
	return true;
}

/* What a thread does that goes on beyond the lap. */
static int task_close(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_task *task)
{
	struct fxt_interval i = {
		.task = task,
		.phase = open_task(lap, task) ? FXT_PHASE_UNKNOWN : task->phase,
		.begin = task->since,
		.end = ~0ULL,
	};
	__u64 sure = lap->to;
	int err;

	if (task->phase == FXT_PHASE_DEAD)
		return 0;
	if (task->phase == FXT_PHASE_RUN && l->m->cpus[task->cpu]->current == task)
		sure = max(sure_of(l, l->m->cpus[task->cpu], lap->to), task->since);
	err = part_cut(l, lap, &i, i.begin, sure);
	i.phase = FXT_PHASE_UNKNOWN;
	if (!err && sure < lap->to)
		err = part_cut(l, lap, &i, sure, lap->to);
	return err ? err : life_set(l, lap, task, ~0ULL);
}

/* What a CPU does that goes on. */
static int cpu_close(struct fxt_laps *l, struct fxt_lap *lap, struct fxt_cpu *cpu)
{
	struct fxt_cpu_stretch s = { .cpu = cpu, .task = cpu->current };
	__u64 sure = max(sure_of(l, cpu, lap->to), cpu->since);
	int err;

	if (s.task) {
		s.kind = fxt_cpu_interrupt(cpu);
		s.interrupt = cpu->interrupt[s.kind];
	}
	err = stretch_cut(l, lap, &s, cpu->since, sure);
	s.task = NULL;
	return err ? err : stretch_cut(l, lap, &s, sure, lap->to);
}

static int lap_close(struct fxt_laps *l, struct fxt_lap *lap)
{
	struct fxt_task *task;
	__u64 at = 0;
	int err = 0;
	__u32 i;

	for (i = 0; i < l->m->cpu_count && !err; i++)
		if (l->m->cpus[i])
			err = cpu_close(l, lap, l->m->cpus[i]);
	while (!err && (task = fxt_tasks_next(&l->m->tasks, &at)))
		err = task_close(l, lap, task);
	return err;
}

/* Those that are in a lap; those that end before it are forgotten. */
static int losses_set(struct fxt_laps *l, const struct fxt_lap *lap)
{
	struct fxt_origin_loss **at = &l->losses, *lost, *copy;

	l->origin.first = NULL;
	l->origin.lost_count = l->origin.lost_events = 0;
	while ((lost = *at)) {
		if (lost->span.to < lap->from) {
			*at = lost->next;
			free(lost);
			continue;
		}
		at = &lost->next;
		if (lost->span.from >= lap->events_to)
			continue;
		copy = malloc(sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		copy->span = lost->span;
		copy->next = l->origin.first;
		l->origin.first = copy;
		l->origin.lost_count++;
		l->origin.lost_events += lost->span.events;
	}
	return 0;
}

static void losses_free(struct fxt_origin_loss **first)
{
	struct fxt_origin_loss *lost;

	while ((lost = *first)) {
		*first = lost->next;
		free(lost);
	}
}

/* It is complete: as a window of its own. */
static int lap_show(struct fxt_laps *l, struct fxt_lap *lap)
{
	struct fxt_machine *m = l->m;
	__u64 from = m->from, to = m->to, events_to = m->events_to;
	int err = losses_set(l, lap);
	__u32 i;

	for (i = 0; i < m->cpu_count; i++)
		if (m->cpus[i])
			m->cpus[i]->data[l->slot] = i < lap->cpu_count && lap->loads[i].cpu ? &lap->loads[i] : NULL;
	m->from = lap->from;
	m->to = lap->to;
	m->events_to = lap->events_to;
	if (!err)
		err = l->show(l->arg, lap);
	m->from = from;
	m->to = to;
	m->events_to = events_to;
	losses_free(&l->origin.first);
	return err;
}

static void lap_free(struct fxt_laps *l, struct fxt_lap *lap)
{
	struct fxt_account *account;

	while ((account = lap->accounts.first)) {
		struct lap_account *a = (struct lap_account *)account, **at;

		fxt_spill_touch(l->m->spill, a);
		lap->accounts.first = account->next;
		at = place_of(l, account->task, lap);
		fxt_spill_touch(l->m->spill, a);
		*at = a->older;
		fxt_account_uninit(account, l->m->spill);
		fxt_spill_free(l->m->spill, a, sizeof(*a));
	}
	free(lap->loads);
	free(lap);
}

/* The oldest one is given back. */
static void lap_remove(struct fxt_laps *l)
{
	struct fxt_lap *lap = l->oldest;

	l->oldest = lap->newer;
	if (!l->oldest)
		l->newest = NULL;
	l->count--;
	lap_free(l, lap);
}

void fxt_laps_uninit(struct fxt_laps *l)
{
	while (l->oldest)
		lap_remove(l);
	losses_free(&l->losses);
	free(l->dead);
}

/* Shows those that are over and complete, or have waited for long enough. */
static int laps_show(struct fxt_laps *l)
{
	int err = 0;

	while (!err && l->oldest && l->oldest->newer &&
	       (l->count > l->patience || complete(l, l->oldest))) {
		err = lap_close(l, l->oldest);
		if (!err)
			err = lap_show(l, l->oldest);
		lap_remove(l);
		if (l->dead_count)
			dead_forget(l);
	}
	return err;
}

static int load_take(void *arg, const struct fxt_load *load)
{
	struct fxt_load *to = load_of(arg, load->cpu), sums;

	if (!to)
		return -ENOMEM;
	sums = *to;
	*to = *load;
	to->busy = sums.busy;
	to->idle = sums.idle;
	to->unknown = sums.unknown;
	to->interrupts = sums.interrupts;
	return 0;
}

static int load_drop(void *arg, const struct fxt_load *load)
{
	(void)arg;
	(void)load;
	return 0;
}

/* The next one that has events begins. */
static int lap_begin(struct fxt_laps *l, __u64 ns)
{
	struct fxt_machine *m = l->m;
	struct fxt_lap *lap = calloc(1, sizeof(*lap));
	int err = l->newest ? fxt_loads_turn(&l->now, load_take, l->newest) : 0;

	if (err || !lap) {
		free(lap);
		return err ? err : -ENOMEM;
	}
	lap->from = ns - (ns - l->from) % l->length;
	lap->to = l->to - lap->from > l->length ? lap->from + l->length : l->to;
	lap->accounts.m = m;
	/* Those without events are passed over. */
	fxt_machine_window(m, m->to, lap->from);
	err = fxt_loads_turn(&l->now, load_drop, NULL);
	fxt_machine_window(m, lap->from, lap->to);
	lap->to = m->to;
	lap->events_to = m->events_to;
	if (l->newest)
		l->newest->newer = lap;
	else
		l->oldest = lap;
	l->newest = lap;
	l->count++;
	return err;
}

static bool over(const struct fxt_laps *l, __u64 ns)
{
	return ns >= l->from && ns < l->to && ns <= l->m->end && (!l->newest || ns >= l->newest->events_to);
}

int fxt_laps_put(struct fxt_laps *l, const struct fxt_record *r)
{
	bool begins = r->timed && over(l, r->ticks);
	int err = begins ? lap_begin(l, r->ticks) : 0;

	if (!err)
		err = fxt_machine_put(l->m, r);
	return err || !begins ? err : laps_show(l);
}

int fxt_laps_advance(struct fxt_laps *l, __u64 ns)
{
	int err = l->newest && over(l, ns) ? lap_begin(l, ns) : 0;

	return err ? err : laps_show(l);
}

int fxt_laps_end(struct fxt_laps *l)
{
	int err = fxt_machine_end(l->m);

	if (!err && l->newest)
		err = fxt_loads_turn(&l->now, load_take, l->newest);
	while (!err && l->oldest) {
		err = lap_show(l, l->oldest);
		lap_remove(l);
	}
	return err;
}
