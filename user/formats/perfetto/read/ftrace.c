// SPDX-License-Identifier: GPL-2.0-only
/* Reads bundles of ftrace events: scheduling events, compact or not, merged by time. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/bundle_cursor.h"
#include "formats/perfetto/read/unread.h"

/* FtraceEventBundle.ftrace_clock */
enum { CLOCK_GLOBAL = 2, CLOCK_LOCAL = 3, CLOCK_MONO_RAW = 4 };
#define MONOTONIC_RAW	5u

static struct fxt_pf_cpu_reader *cpu_of(struct fxt_pf_reader *rd, __u32 number, int *err)
{
	struct fxt_pf_cpu_reader *cpu = fxt_map_get(&rd->cpus, (__u64)number + 1);
	int provider;

	if (cpu)
		return cpu;
	*err = provider = fxt_feed_cpu_provider(&rd->feed, number);
	if (provider < 0)
		return NULL;
	cpu = fxt_map_new(&rd->cpus, (__u64)number + 1, sizeof(*cpu));
	*err = cpu ? 0 : -ENOMEM;
	if (!cpu)
		return NULL;
	cpu->cpu = number;
	cpu->provider = provider;
	return cpu;
}

static bool comm_at(const struct fxt_pf_cursor *cur, __u32 index)
{
	return index < cur->compact->n_intern_table;
}

/* Sets the name of a thread by an event at ns. */
static int comm_seen(struct fxt_pf_cursor *cur, __u32 pid, __u32 index, __u64 ns)
{
	struct fxt_pf_cpu_reader *cpu = cur->cpu;
	const char *name = cur->compact->intern_table[index];
	size_t i = pid % FXT_PF_SEEN;

	if (cpu->seen[i].bundle == cpu->bundle && cpu->seen[i].pid == pid &&
	    cpu->seen[i].comm == index)
		return 0;
	cpu->seen[i].bundle = cpu->bundle;
	cpu->seen[i].pid = pid;
	cpu->seen[i].comm = index;
	return fxt_pf_cursor_named(cur, pid, name, ns);
}

static int switch_compact(struct fxt_pf_cursor *cur)
{
	const Pf__FtraceEventBundle__CompactSched *c = cur->compact;
	struct fxt_pf_cpu_reader *cpu = cur->cpu;
	__u64 ns = fxt_pf_cursor_ns(cur, cur->sw_time);
	struct fxt_switch_view v = {
		.cpu = cpu->cpu,
		.prev = cpu->running,
		.prev_prio = cpu->running_known ? cpu->running_prio : FXT_IDLE_PRIORITY,
		.next = (__u32)c->switch_next_pid[cur->sw],
		.next_prio = c->switch_next_prio[cur->sw],
	};
	int err;

	if (!comm_at(cur, c->switch_next_comm_index[cur->sw]))
		return fxt_pf_bad(cur->rd, "a switch's name is beyond the bundle's table");
	err = comm_seen(cur, v.next, c->switch_next_comm_index[cur->sw], ns);
	if (err)
		return err;
	fxt_switch_view_prev_state_set(&v, c->switch_prev_state[cur->sw], cur->states);
	if (++cur->sw < c->n_switch_timestamp)
		cur->sw_time += c->switch_timestamp[cur->sw];
	if (cpu->running_known)
		return fxt_pf_cursor_switch(cur, &v, ns);
	/* The first compact switch doesn't have the outgoing thread. */
	fxt_skip(cur->rd->c, "first compact switches, without the outgoing thread", 1);
	cpu->running_known = true;
	cpu->running = v.next;
	cpu->running_prio = v.next_prio;
	return 0;
}

static int waking_compact(struct fxt_pf_cursor *cur)
{
	const Pf__FtraceEventBundle__CompactSched *c = cur->compact;
	size_t i = cur->waking;
	__u32 flags = i < c->n_waking_common_flags ? c->waking_common_flags[i] : 0;
	__u64 ns = fxt_pf_cursor_ns(cur, cur->waking_time);
	struct fxt_wakeup_view v = {
		.cpu = cur->cpu->cpu,
		.thread = (__u32)c->waking_pid[i],
		.prio = c->waking_prio[i],
		.target = (__u16)c->waking_target_cpu[i],
		.waker = cur->cpu->running,
		.waker_known = cur->cpu->running_known,
		.on_cpu = flags & FXT_PF_FLAG_ON_CPU,
		.context = fxt_pf_cursor_context(cur, flags, cur->cpu->running),
	};
	int err;

	if (!comm_at(cur, c->waking_comm_index[i]))
		return fxt_pf_bad(cur->rd, "a waking's name is beyond the bundle's table");
	if (++cur->waking < c->n_waking_timestamp)
		cur->waking_time += c->waking_timestamp[cur->waking];
	err = comm_seen(cur, v.thread, c->waking_comm_index[i], ns);
	return err ? err : fxt_pf_cursor_wakeup(cur, &v, ns);
}

/* Reads the earliest of the three lists' next events; at equal times, switches first, then wakings. */
static int step(struct fxt_pf_cursor *cur)
{
	const Pf__FtraceEventBundle__CompactSched *c = cur->compact;
	bool sw = c && cur->sw < c->n_switch_timestamp;
	bool waking = c && cur->waking < c->n_waking_timestamp;
	bool others = cur->full < cur->bundle->n_event;
	__u64 time = others ? cur->bundle->event[cur->full]->timestamp : 0;

	sw = sw && (!waking || cur->sw_time <= cur->waking_time) && (!others || cur->sw_time <= time);
	waking = waking && (!others || cur->waking_time <= time);
	cur->last_time = sw ? cur->sw_time : waking ? cur->waking_time : time;
	cur->any = true;
	return sw ? switch_compact(cur) : waking ? waking_compact(cur) : fxt_pf_cursor_full(cur);
}

/* Finds the time of the bundle's first event, in its own clock; false: the bundle is empty. */
static bool first_time(const struct fxt_pf_cursor *cur, __u64 *time)
{
	const Pf__FtraceEventBundle *b = cur->bundle;

	*time = ~0ull;
	if (b->n_event)
		*time = b->event[0]->timestamp;
	if (cur->compact && cur->compact->n_switch_timestamp && cur->sw_time < *time)
		*time = cur->sw_time;
	if (cur->compact && cur->compact->n_waking_timestamp && cur->waking_time < *time)
		*time = cur->waking_time;
	return *time != ~0ull;
}

/* Puts a loss of events, up to the next event; fxtrec's packets also have their own report of the loss. */
static int lost_put(struct fxt_pf_cursor *cur, __u64 ns)
{
	struct fxt_feed_cpu *cpu = fxt_feed_cpu(&cur->rd->feed, cur->cpu->cpu);

	if (cur->ours) {
		cpu->lost = false;
		return fxt_feed_lost_event(&cur->rd->feed, cur->cpu->cpu, ns);
	}
	/* The CPU's thread is not known until the next switch. */
	cur->cpu->running_known = false;
	cur->cpu->running = 0;
	return fxt_feed_lost_put(&cur->rd->feed, cur->cpu->cpu, ns);
}

static bool lengths_fit(const Pf__FtraceEventBundle__CompactSched *c)
{
	size_t n = c->n_switch_timestamp, m = c->n_waking_timestamp;

	return c->n_switch_prev_state == n && c->n_switch_next_pid == n &&
	       c->n_switch_next_prio == n && c->n_switch_next_comm_index == n &&
	       c->n_waking_pid == m && c->n_waking_target_cpu == m && c->n_waking_prio == m &&
	       c->n_waking_comm_index == m;
}

static int clock_find(struct fxt_pf_cursor *cur)
{
	const Pf__FtraceEventBundle *b = cur->bundle;

	cur->clock = FXT_PF_BOOTTIME;
	if (b->ftrace_clock == CLOCK_MONO_RAW)
		cur->clock = MONOTONIC_RAW;
	else if (b->ftrace_clock == CLOCK_GLOBAL || b->ftrace_clock == CLOCK_LOCAL)
		cur->shift = b->boot_timestamp - b->ftrace_timestamp;
	else if (b->ftrace_clock)
		return fxt_pf_bad(cur->rd, "a bundle's clock is unknown");
	return 0;
}

/* Returns whether events were lost before a bundle, except for losses that are reported to Perfetto only. */
static bool lost_before(const Pf__FtraceEventBundle *b, bool ours)
{
	return b->lost_events && !(ours && b->n_event && b->event[0]->common_flags & FXT_PF_FLAG_BROKEN);
}

int fxt_pf_bundle(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, const Pf__FtraceEventBundle *bundle,
		  bool ours)
{
	struct fxt_pf_cursor cur = { .rd = rd, .s = s, .bundle = bundle, .compact = bundle->compact_sched,
				     .ours = ours, .states = rd->states };
	struct fxt_feed_cpu *cpu;
	bool timed;
	__u64 time;
	int err = 0;

	fxt_pf_unread(rd->c, FXT_PF_UNREAD_BUNDLE, &bundle->base);
	if (!bundle->has_cpu || bundle->cpu >= FXT_PF_CPUS)
		return fxt_pf_bad(rd, "a bundle's CPU is missing or too large");
	if (cur.compact && !lengths_fit(cur.compact))
		return fxt_pf_bad(rd, "a bundle's lists differ in length");
	cur.cpu = cpu_of(rd, bundle->cpu, &err);
	if (!cur.cpu)
		return err;
	cur.cpu->bundle++;
	if (!cur.states)
		cur.states = &fxt_prev_states_new;
	err = clock_find(&cur);
	if (!err)
		err = fxt_pf_generics_describe(rd, bundle);
	if (cur.compact && cur.compact->n_switch_timestamp)
		cur.sw_time = cur.compact->switch_timestamp[0];
	if (cur.compact && cur.compact->n_waking_timestamp)
		cur.waking_time = cur.compact->waking_timestamp[0];
	if (!err && lost_before(bundle, ours))
		err = fxt_feed_lost(&rd->feed, bundle->cpu, 0);
	timed = first_time(&cur, &time);
	if (!err && fxt_feed_cpu(&rd->feed, bundle->cpu)->lost && (timed || ours))
		err = lost_put(&cur, timed ? fxt_pf_cursor_ns(&cur, time) : rd->feed.last_ns);
	while (!err && (cur.full < bundle->n_event ||
			(cur.compact && (cur.sw < cur.compact->n_switch_timestamp ||
					 cur.waking < cur.compact->n_waking_timestamp))))
		err = step(&cur);
	if (!err && cur.any) {
		cpu = fxt_feed_cpu(&rd->feed, bundle->cpu);
		cpu->seen = true;
		cpu->last_ns = fxt_pf_cursor_ns(&cur, cur.last_time);
	}
	return err;
}

void fxt_pf_cpus_free(struct fxt_pf_reader *rd)
{
	fxt_map_uninit(&rd->cpus, free);
	fxt_map_uninit(&rd->generics, free);
	fxt_map_uninit(&rd->newtasks, free);
}
