// SPDX-License-Identifier: GPL-2.0-only
/* Sums the states of each CPU in the window. */
#include <errno.h>

#include "analyze/loads.h"

static struct fxt_load *load_add(struct fxt_loads *l, struct fxt_cpu *cpu)
{
	struct fxt_load *load = fxt_cpu_data_add(l->m, cpu, l->slot, sizeof(*load));

	if (!load)
		return NULL;
	load->cpu = cpu;
	load->changed = load->open_since = l->m->from;
	return load;
}

static inline struct fxt_load *load_of(struct fxt_loads *l, struct fxt_cpu *cpu)
{
	struct fxt_load *load = cpu->data[l->slot];

	return load ? load : load_add(l, cpu);
}

static __u64 clip(const struct fxt_machine *m, __u64 ns)
{
	return ns < m->from ? m->from : ns > m->to ? m->to : ns;
}

/* Returns ns so far with another idle CPU than this one. */
static inline __u64 idle_others(const struct fxt_loads *l, const struct fxt_load *load)
{
	return load->is_idle ? l->two_idle : l->any_idle;
}

/* Adds the CPU to the list of idle or contended CPUs, or removes it from that list. */
static void list_turn(struct fxt_loads *l, struct fxt_load *load)
{
	if (load->at) {
		*load->at = load->next;
		if (load->next)
			load->next->at = load->at;
		load->at = NULL;
		return;
	}
	load->next = l->first;
	load->at = &l->first;
	if (l->first)
		l->first->at = &load->next;
	l->first = load;
}

/* Settles the idle sums up to now, and sets the CPU's state from now on.  Rare: out of line. */
static __attribute__((noinline)) void idle_turn(struct fxt_loads *l, struct fxt_load *load, bool waits, bool is_idle)
{
	if (l->idle_count)
		l->any_idle += l->now - l->idle_since;
	if (l->idle_count > 1)
		l->two_idle += l->now - l->idle_since;
	l->idle_since = l->now;
	if (load->waits)
		load->idle_while_waiting += idle_others(l, load) - load->idle_others;
	l->idle_count += (int)is_idle - (int)load->is_idle;
	load->is_idle = is_idle;
	load->waits = waits;
	load->idle_others = idle_others(l, load);
	if (!load->at == (waits || is_idle))
		list_turn(l, load);
}

/* Returns whether an event of the CPU has come since the last loss. */
static inline bool is_known(const struct fxt_loads *l, const struct fxt_load *load)
{
	__u64 lost_at = load->lost_at > l->lost_at ? load->lost_at : l->lost_at;

	return !lost_at || load->cpu->sure > lost_at;
}

/* Adds the CPU's runnable threads up to ns. */
static inline void advance(struct fxt_loads *l, struct fxt_load *load, __u64 ns)
{
	ns = clip(l->m, ns);
	if (ns > l->now)
		l->now = ns;
	if (ns > load->changed) {
		load->open_ns += (unsigned __int128)load->runnable * (ns - load->changed);
		load->changed = ns;
		/* The threads could run at the window's start already. */
		if (load->runnable > load->runnable_max && is_known(l, load))
			load->runnable_max = load->runnable;
	}
}

/* Sets the CPU's runnable threads from now on. */
static inline void runnable_set(struct fxt_loads *l, struct fxt_load *load, __u64 runnable)
{
	load->runnable = runnable;
	if (runnable > load->waiting_max)
		load->waiting_max = runnable;
	if (runnable > load->runnable_max && is_known(l, load) && fxt_machine_counts(l->m, l->m->now))
		load->runnable_max = runnable;
}

/* Clears the CPU's states after a loss: up to its next event, neither an idle CPU nor waiting threads are known. */
static void load_lose(struct fxt_loads *l, struct fxt_load *load, __u64 ns)
{
	advance(l, load, ns);
	idle_turn(l, load, false, false);
}

static int loss(void *state, const struct fxt_loss_span *span)
{
	struct fxt_loads *l = state;
	struct fxt_load *load;

	if (!span->cpu) {
		while (l->first)
			load_lose(l, l->first, span->from);
		l->lost_at = span->from;
		return 0;
	}
	load = load_of(l, span->cpu);
	if (!load)
		return -ENOMEM;
	load_lose(l, load, span->from);
	load->lost_at = span->from;
	return 0;
}

static int runnable(void *state, struct fxt_cpu *cpu, __u64 ns)
{
	struct fxt_loads *l = state;
	struct fxt_load *load = load_of(l, cpu);
	bool is_idle = cpu->current == &cpu->idle, waits = cpu->waiting;
	__u64 runs = cpu->waiting + (cpu->current && !is_idle);

	if (!load)
		return -ENOMEM;
	advance(l, load, ns);
	if (!is_known(l, load))
		waits = is_idle = false;
	if (waits != load->waits || is_idle != load->is_idle)
		idle_turn(l, load, waits, is_idle);
	load->runs_known = cpu->current;
	runnable_set(l, load, runs);
	return 0;
}

/* Returns a part of a sum that isn't known for each moment, as it was cut in hindsight, or contains a loss. */
static unsigned __int128 part_of(unsigned __int128 sum, __u64 part, __u64 whole)
{
	return part < whole ? (unsigned __int128)((double)sum * part / whole) : sum;
}

/* Adds the threads that could run during a stretch, for its known part. */
static void open_settle(struct fxt_load *load, const struct fxt_cpu_stretch *s)
{
	__u64 ns = s->to - s->from, whole = load->changed - load->open_since;
	unsigned __int128 sum = part_of(load->open_ns, ns, whole);

	if (s->task)
		load->runnable_ns += part_of(sum, ns - s->lost, ns);
	load->open_ns -= sum;
	load->open_since += ns < whole ? ns : whole;
}

/* Counts a thread that is known only in hindsight to have run as runnable, too. */
static void hindsight_add(struct fxt_load *load, const struct fxt_cpu_stretch *s)
{
	if (s->task == &s->cpu->idle || s->from >= s->to)
		return;
	load->open_ns += s->to - s->from;
	if (load->waiting_max + 1 > load->runnable_max)
		load->runnable_max = load->waiting_max + 1;
}

/* Adds a stretch.  Inlined in stretch() below, the path of each switch. */
inline void fxt_load_stretch(struct fxt_load *load, const struct fxt_cpu_stretch *s)
{
	__u64 known = s->to - s->from - s->lost;

	if (s->task && !load->runs_known)
		hindsight_add(load, s);
	load->waiting_max = load->runnable;
	open_settle(load, s);
	load->unknown += s->task ? s->lost : known;
	if (!s->task)
		return;
	if (s->task == &s->cpu->idle)
		load->idle += known;
	else
		load->busy += known;
	if (fxt_interrupt_runs(s->kind))
		load->interrupts += known;
}

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_loads *l = state;
	struct fxt_load *load = load_of(l, s->cpu);

	if (!load)
		return -ENOMEM;
	advance(l, load, s->end);
	fxt_load_stretch(load, s);
	return 0;
}

/* Adds the time from the last change to the window's end. */
static void complete(struct fxt_loads *l, struct fxt_load *load)
{
	advance(l, load, l->m->to);
	idle_turn(l, load, load->waits, load->is_idle);
	load->switches = load->cpu->switches;
}

static int end(void *state)
{
	struct fxt_loads *l = state;
	__u32 i;

	for (i = 0; i < l->m->seen_count; i++) {
		struct fxt_load *load = load_of(l, l->m->seen[i]);

		if (!load)
			return -ENOMEM;
		complete(l, load);
		runnable_set(l, load, load->runnable);
	}
	return 0;
}

int fxt_loads_turn(struct fxt_loads *l, int (*take)(void *arg, const struct fxt_load *load), void *arg)
{
	__u32 i;
	int err;

	for (i = 0; i < l->m->seen_count; i++) {
		struct fxt_load *load = load_of(l, l->m->seen[i]);

		if (!load)
			return -ENOMEM;
		complete(l, load);
		err = take(arg, load);
		if (err)
			return err;
		*load = (struct fxt_load){
			.cpu = load->cpu,
			.runnable = load->runnable,
			.runs_known = load->runs_known,
			.waiting_max = load->runnable,
			.waits = load->waits,
			.is_idle = load->is_idle,
			.lost_at = load->lost_at,
			.next = load->next,
			.at = load->at,
			.changed = load->changed,
			.open_since = load->changed,
			.idle_others = load->idle_others,
		};
	}
	return 0;
}

static const struct fxt_observer_ops ops = {
	.runnable = runnable,
	.stretch = stretch,
	.loss = loss,
	.end = end,
};

void fxt_loads_init(struct fxt_loads *l, struct fxt_machine *m)
{
	*l = (struct fxt_loads){ .m = m };
	l->slot = fxt_machine_observe(m, &ops, l);
}

const struct fxt_load *fxt_loads_get(const struct fxt_loads *l, const struct fxt_cpu *cpu)
{
	struct fxt_load *load = cpu->data[l->slot];
	const struct fxt_load *other;
	__u64 idle = 0;
	__u32 i;

	if (!load || !load->idle_while_waiting)
		return load;
	for (i = 0; i < l->m->seen_count; i++) {
		other = l->m->seen[i]->data[l->slot];
		idle += other && other != load ? other->idle : 0;
	}
	if (load->idle_while_waiting > idle)
		load->idle_while_waiting = idle;
	return load;
}
