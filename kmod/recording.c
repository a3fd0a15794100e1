// SPDX-License-Identifier: GPL-2.0-only
/* The states of a recording: allocates the rings and registers the probes, and the reverse. */
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "clock.h"
#include "event.h"
#include "filter.h"
#include "fxt/stack.h"
#include "map.h"
#include "message.h"
#include "tracepoint.h"
#include "recording.h"
#include "sched.h"
#include "sleeper.h"
#include "stack.h"
#include "thread.h"
#include "throttle.h"
#include "probe.h"
#include "delay.h"

DEFINE_MUTEX(fxt_recording_lock);
struct fxt_recording fxt_recording;
struct fxtrec_area fxt_null_area;
struct fxtrec_reasons fxt_reasons __read_mostly;
DEFINE_PER_CPU(struct fxt_cpu, fxt_cpu) = { .area = &fxt_null_area };

/* A record has 16 bits for its CPU, and a filter has one bit for each CPU. */
static_assert(NR_CPUS <= FXTREC_CPUS_MAX, "this kernel is built for more CPUs than can be recorded");

static int config_check(const struct fxtrec_config *c)
{
	if (c->flags)
		return -EINVAL;
	if (c->events & ~FXTREC_EVENTS_ALL || c->stacks & ~FXT_STACK_ALL ||
	    !(c->events & FXTREC_EVENTS_STACKS) != !c->stacks)
		return -EINVAL;
	if (!is_power_of_2(c->data_bytes) || !is_power_of_2(c->subbufs))
		return -EINVAL;
	if (c->data_bytes > FXTREC_DATA_MAX)
		return -E2BIG;
	if (c->subbufs < FXTREC_SUBBUFS_MIN || c->subbufs > FXTREC_SUBBUFS_MAX ||
	    c->data_bytes / c->subbufs < FXTREC_SUBBUF_MIN)
		return -EINVAL;
	return 0;
}

static int reasons_check(const struct fxtrec_reasons *reasons)
{
	const u8 *call;

	if (!reasons)
		return 0;
	if (reasons->flags & ~FXTREC_REASONS_ADDRESSES)
		return -EINVAL;
	for (call = reasons->call[0]; call < reasons->call[0] + sizeof(reasons->call); call++)
		if (*call >= FXTREC_CALL_KINDS)
			return -EINVAL;
	return 0;
}

static void rings_free(struct fxt_recording *r)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(fxt_cpu, cpu) = (struct fxt_cpu){ .area = &fxt_null_area };
	for (cpu = 0; r->rings && cpu < r->cpu_count; cpu++) {
		vfree(r->rings[cpu].area);
		vfree(r->rings[cpu].consumer);
	}
	kvfree(r->rings);
	r->rings = NULL;
}

/*
 * Returns whether the rings would take more than half of the available memory: the OOM
 * killer would run before vzalloc() fails.
 */
static bool too_large(size_t area_bytes)
{
	return (u64)num_present_cpus() * area_bytes > (u64)si_mem_available() * PAGE_SIZE / 2;
}

static int cpu_alloc(struct fxt_recording *r, const struct fxtrec_config *c, unsigned int cpu)
{
	struct fxt_rings *rings = &r->rings[cpu];

	rings->area = vzalloc_node(r->area_bytes, cpu_to_node(cpu));
	rings->consumer = vzalloc_node(FXT_CONSUMER_BYTES, cpu_to_node(cpu));
	if (!rings->area || !rings->consumer)
		return -ENOMEM;
	fxt_area_init(rings->area, cpu, c->data_bytes, c->subbufs, c->events);
	rings->consumer->ring[FXTREC_RING_SCHED].tail = FXTREC_CLOSED;
	rings->consumer->ring[FXTREC_RING_EVENTS].tail = FXTREC_CLOSED;
	return 0;
}

static int rings_alloc(struct fxt_recording *r, const struct fxtrec_config *c)
{
	unsigned int cpu, first = nr_cpu_ids;

	r->cpu_count = nr_cpu_ids;
	r->events = c->events;
	r->area_bytes = PAGE_ALIGN(sizeof(struct fxtrec_area) + c->data_bytes);
	if (too_large(r->area_bytes))
		return -ENOMEM;
	r->rings = kvcalloc(r->cpu_count, sizeof(*r->rings), GFP_KERNEL);
	if (!r->rings)
		return -ENOMEM;
	for_each_present_cpu(cpu) {
		if (cpu_alloc(r, c, cpu)) {
			rings_free(r);
			return -ENOMEM;
		}
		first = min(first, cpu);
	}
	for_each_possible_cpu(cpu)
		per_cpu(fxt_cpu, cpu) = (struct fxt_cpu){
			.area = r->rings[cpu].area ?: &fxt_null_area,
			.consumer = r->rings[cpu].consumer ?: r->rings[first].consumer,
			.excluded = per_cpu(fxt_cpu, cpu).excluded,
		};
	return 0;
}

int fxt_recording_arm(struct fxtrec_config *c, const struct fxt_arguments *a)
{
	struct fxt_recording *r = &fxt_recording;
	int err;

	lockdep_assert_held(&fxt_recording_lock);
	if (r->state != FXT_IDLE)
		return -EBUSY;
	err = config_check(c) ?: reasons_check(a->reasons);
	if (err)
		return err;
	fxt_stack_choose(c->stacks);
	fxt_reasons = a->reasons ? *a->reasons : (struct fxtrec_reasons){ 0 };
	err = fxt_clock_select(c->clock, &c->ticks_per_second);
	if (err)
		return err;
	err = fxt_filter_init(a->filter);
	if (err)
		return err;
	err = fxt_delay_init(a->delays, c->ticks_per_second);
	if (err)
		goto uninit_filter;
	err = rings_alloc(r, c);
	if (err)
		goto uninit_watch;
	err = fxt_filter_register();
	if (err)
		goto free_rings;
	err = fxt_thread_register();
	if (err)
		goto unregister_filter;
	err = fxt_message_register();
	if (err)
		goto unregister_thread;
	err = fxt_throttle_register(a->throttle);
	if (err)
		goto unregister_message;
	c->cpu_count = r->cpu_count;
	c->producer_bytes = sizeof(struct fxtrec_producer);
	c->area_bytes = r->area_bytes;
	/* The rings before state; pairs with the load-acquire in device_mmap(), which takes no lock. */
	smp_store_release(&r->state, FXT_ARMED);
	return 0;

unregister_message:
	fxt_message_unregister();
unregister_thread:
	fxt_thread_unregister();
unregister_filter:
	fxt_filter_unregister();
	fxt_probe_drain();
free_rings:
	rings_free(r);
uninit_watch:
	fxt_delay_uninit();
uninit_filter:
	fxt_filter_uninit();
	return err;
}

int fxt_recording_start(void)
{
	struct fxt_recording *r = &fxt_recording;
	int err;

	lockdep_assert_held(&fxt_recording_lock);
	if (r->state != FXT_ARMED)
		return -EINVAL;
	err = fxt_events_register(r->events);
	if (err)
		return err;
	err = fxt_sched_register();
	if (err) {
		fxt_events_unregister(r->events);
		fxt_probe_drain();
		return err;
	}
	WRITE_ONCE(r->state, FXT_RUNNING);
	return 0;
}

int fxt_recording_stop(void)
{
	struct fxt_recording *r = &fxt_recording;

	lockdep_assert_held(&fxt_recording_lock);
	if (r->state != FXT_ARMED && r->state != FXT_RUNNING)
		return -EINVAL;
	if (r->state == FXT_RUNNING) {
		fxt_sched_unregister();
		fxt_events_unregister(r->events);
	}
	fxt_throttle_unregister();
	fxt_message_unregister();
	fxt_thread_unregister();
	fxt_filter_unregister();
	fxt_probe_drain();
	WRITE_ONCE(r->state, FXT_STOPPED);
	return 0;
}

void fxt_recording_free(void)
{
	struct fxt_recording *r = &fxt_recording;

	fxt_recording_stop();
	fxt_tracepoint_table_free();
	rings_free(r);
	fxt_delay_uninit();
	fxt_filter_uninit();
	WRITE_ONCE(r->state, FXT_IDLE);
}

void fxt_recording_stats(struct fxtrec_stats *stats)
{
	struct fxt_recording *r = &fxt_recording;
	unsigned int cpu, kind, cause;

	lockdep_assert_held(&fxt_recording_lock);
	stats->running = r->state == FXT_RUNNING;
	for (cpu = 0; r->rings && cpu < r->cpu_count; cpu++) {
		if (!r->rings[cpu].area)
			continue;
		for (kind = 0; kind < FXTREC_RINGS; kind++) {
			struct fxtrec_producer *p = &r->rings[cpu].area->ring[kind];

			stats->bytes += READ_ONCE(p->head);
			for (cause = 0; cause < FXTREC_LOSSES; cause++)
				stats->lost[cause] += READ_ONCE(p->lost[cause]);
		}
	}
}

int fxt_recording_late(struct fxtrec_late *table, u32 count)
{
	struct fxt_recording *r = &fxt_recording;
	u32 cpu;

	lockdep_assert_held(&fxt_recording_lock);
	if (!r->rings || count > r->cpu_count)
		return -EINVAL;
	for (cpu = 0; cpu < count; cpu++) {
		const struct fxt_cpu *of = per_cpu_ptr(&fxt_cpu, cpu);

		if (!cpu_possible(cpu))
			continue;
		table[cpu].since = READ_ONCE(of->late.since);
		table[cpu].events = READ_ONCE(of->late.events);
	}
	return 0;
}
