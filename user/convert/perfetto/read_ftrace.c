// SPDX-License-Identifier: GPL-2.0-only
/* Bundles of ftrace: scheduling events, compact or in full, put together by time. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/bundle_cursor.h"

/* FtraceEventBundle.ftrace_clock */
enum { CLOCK_GLOBAL = 2, CLOCK_LOCAL = 3, CLOCK_MONO_RAW = 4 };
#define MONOTONIC_RAW	5u

static struct fxt_pf_cpu_reading *cpu_of(struct fxt_pf_reading *g, __u32 number, int *err)
{
	struct fxt_pf_cpu_reading *cpu = fxt_map_get(&g->cpus, (__u64)number + 1);

	if (cpu)
		return cpu;
	cpu = calloc(1, sizeof(*cpu));
	*err = -ENOMEM;
	if (!cpu)
		return NULL;
	cpu->cpu = number;
	cpu->provider = *err = fxt_pf_cpu_provider(g, number);
	if (*err >= 0)
		*err = fxt_map_put(&g->cpus, (__u64)number + 1, cpu);
	if (!*err)
		return cpu;
	free(cpu);
	return NULL;
}

static bool comm_at(const struct fxt_pf_cursor *w, __u32 index)
{
	return index < w->compact->n_intern_table;
}

/* The name that a thread has in an event of that time. */
static int comm_take(struct fxt_pf_cursor *w, __u32 pid, __u32 index, __u64 ns)
{
	struct fxt_pf_cpu_reading *cpu = w->cpu;
	const char *name = w->compact->intern_table[index];
	size_t i = pid % FXT_PF_SEEN;

	if (cpu->seen[i].bundle == cpu->bundle && cpu->seen[i].pid == pid &&
	    cpu->seen[i].comm == index)
		return 0;
	cpu->seen[i].bundle = cpu->bundle;
	cpu->seen[i].pid = pid;
	cpu->seen[i].comm = index;
	return *name && pid ? fxt_pf_thread_named(w->g, pid, 0, name, &ns) : 0;
}

static int switch_compact(struct fxt_pf_cursor *w)
{
	const Pf__FtraceEventBundle__CompactSched *c = w->compact;
	struct fxt_pf_cpu_reading *cpu = w->cpu;
	__u64 ns = fxt_pf_cursor_ns(w, w->sw_time);
	struct fxt_switch_view v = {
		.cpu = cpu->cpu,
		.prev = cpu->running,
		.prev_prio = cpu->running_known ? cpu->running_prio : FXT_IDLE_PRIORITY,
		.next = (__u32)c->switch_next_pid[w->sw],
		.next_prio = c->switch_next_prio[w->sw],
	};
	int err;

	if (!comm_at(w, c->switch_next_comm_index[w->sw]))
		return fxt_pf_bad(w->g, "a switch's name is beyond the bundle's table");
	err = comm_take(w, v.next, c->switch_next_comm_index[w->sw], ns);
	if (err)
		return err;
	fxt_switch_view_prev_state_set(&v, c->switch_prev_state[w->sw]);
	if (++w->sw < c->n_switch_timestamp)
		w->sw_time += c->switch_timestamp[w->sw];
	if (cpu->running_known)
		return fxt_pf_cursor_switch(w, &v, ns);
	/* Who ran before the first one isn't told: it tells only who does now. */
	fxt_note(&w->g->c->skipped, "first compact switches, which don't say of whom", 1);
	cpu->running_known = true;
	cpu->running = v.next;
	cpu->running_prio = v.next_prio;
	return 0;
}

static int waking_compact(struct fxt_pf_cursor *w)
{
	const Pf__FtraceEventBundle__CompactSched *c = w->compact;
	size_t i = w->waking;
	__u64 ns = fxt_pf_cursor_ns(w, w->waking_time);
	struct fxt_wakeup_view v = {
		.cpu = w->cpu->cpu,
		.thread = (__u32)c->waking_pid[i],
		.prio = c->waking_prio[i],
		.target = (__u16)c->waking_target_cpu[i],
		.waker = w->cpu->running,
		.waker_known = w->cpu->running_known,
		.on_cpu = i < c->n_waking_common_flags &&
			  c->waking_common_flags[i] & FXT_PF_FLAG_ON_CPU,
	};
	int err;

	if (!comm_at(w, c->waking_comm_index[i]))
		return fxt_pf_bad(w->g, "a waking's name is beyond the bundle's table");
	if (++w->waking < c->n_waking_timestamp)
		w->waking_time += c->waking_timestamp[w->waking];
	err = comm_take(w, v.thread, c->waking_comm_index[i], ns);
	return err ? err : fxt_pf_cursor_wakeup(w, &v, ns);
}

/* The next of the three lists by time; at one time, switches before wakings before others. */
static int step(struct fxt_pf_cursor *w)
{
	const Pf__FtraceEventBundle__CompactSched *c = w->compact;
	bool sw = c && w->sw < c->n_switch_timestamp;
	bool waking = c && w->waking < c->n_waking_timestamp;
	bool others = w->full < w->bundle->n_event;
	__u64 time = others ? w->bundle->event[w->full]->timestamp : 0;

	if (sw && (!waking || w->sw_time <= w->waking_time) && (!others || w->sw_time <= time))
		return switch_compact(w);
	if (waking && (!others || w->waking_time <= time))
		return waking_compact(w);
	return fxt_pf_cursor_full(w);
}

static int lost_put(struct fxt_pf_cursor *w)
{
	const Pf__FtraceEventBundle *b = w->bundle;
	__u64 time = ~0ull;
	struct fxt_record r;
	bool any = true;

	if (b->n_event)
		time = b->event[0]->timestamp;
	if (w->compact && w->compact->n_switch_timestamp && w->sw_time < time)
		time = w->sw_time;
	if (w->compact && w->compact->n_waking_timestamp && w->waking_time < time)
		time = w->waking_time;
	if (time == ~0ull)
		any = false;
	fxt_build(&r, FXT_KIND_PROVIDER_EVENT, 0);
	r.timed = false;
	r.of_provider.id = FXT_PROVIDER_CPU(w->cpu->cpu);
	return fxt_pf_put(w->g, &r, any ? fxt_pf_cursor_ns(w, time) : w->g->last_ns, w->cpu->provider);
}

static bool lengths_fit(const Pf__FtraceEventBundle__CompactSched *c)
{
	size_t n = c->n_switch_timestamp, m = c->n_waking_timestamp;

	return c->n_switch_prev_state == n && c->n_switch_next_pid == n &&
	       c->n_switch_next_prio == n && c->n_switch_next_comm_index == n &&
	       c->n_waking_pid == m && c->n_waking_target_cpu == m && c->n_waking_prio == m &&
	       c->n_waking_comm_index == m;
}

static int clock_set(struct fxt_pf_cursor *w)
{
	const Pf__FtraceEventBundle *b = w->bundle;

	w->clock = FXT_PF_BOOTTIME;
	if (b->ftrace_clock == CLOCK_MONO_RAW)
		w->clock = MONOTONIC_RAW;
	else if (b->ftrace_clock == CLOCK_GLOBAL || b->ftrace_clock == CLOCK_LOCAL)
		w->shift = b->boot_timestamp - b->ftrace_timestamp;
	else if (b->ftrace_clock)
		return fxt_pf_bad(w->g, "a bundle's clock is none that is known");
	return 0;
}

int fxt_pf_bundle(struct fxt_pf_reading *g, const Pf__FtraceEventBundle *bundle)
{
	struct fxt_pf_cursor w = { .g = g, .bundle = bundle, .compact = bundle->compact_sched };
	int err = 0;

	if (!bundle->has_cpu || bundle->cpu >= FXT_PF_CPUS)
		return fxt_pf_bad(g, "a bundle's CPU is missing or too large");
	if (w.compact && !lengths_fit(w.compact))
		return fxt_pf_bad(g, "a bundle's lists differ in length");
	w.cpu = cpu_of(g, bundle->cpu, &err);
	if (!w.cpu)
		return err;
	w.cpu->bundle++;
	err = clock_set(&w);
	if (w.compact && w.compact->n_switch_timestamp)
		w.sw_time = w.compact->switch_timestamp[0];
	if (w.compact && w.compact->n_waking_timestamp)
		w.waking_time = w.compact->waking_timestamp[0];
	if (!err && bundle->lost_events)
		err = lost_put(&w);
	while (!err && (w.full < bundle->n_event ||
			(w.compact && (w.sw < w.compact->n_switch_timestamp ||
				       w.waking < w.compact->n_waking_timestamp))))
		err = step(&w);
	return err;
}

void fxt_pf_cpus_free(struct fxt_pf_reading *g)
{
	fxt_map_uninit(&g->cpus, free);
}
