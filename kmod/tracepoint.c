// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records any tracepoint, by a kernel perf counter on each CPU.
 *
 * Counting hits is worth its lines: tests/lib/guest_events.py denied() fails without it.
 */
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "event.h"
#include "filter.h"
#include "tracepoint.h"

/* The raw record of a tracepoint. */
struct raw {
	const char *data;
	u32 bytes;
};
typedef const struct raw *fxt_tp_raw;

static int raw_read(fxt_tp_raw raw, u32 offset, void *to, u32 bytes)
{
	if (offset > raw->bytes || bytes > raw->bytes - offset)
		return -EINVAL;
	memcpy(to, raw->data + offset, bytes);
	return 0;
}

static long raw_read_str(fxt_tp_raw raw, u32 offset, void *to, u32 room)
{
	size_t bytes;

	if (offset >= raw->bytes)
		return -EINVAL;
	bytes = strnlen(raw->data + offset, min(room - 1, raw->bytes - offset));
	memcpy(to, raw->data + offset, bytes);
	return bytes + 1;
}

#define FXT_TP_READ(raw, offset, to, bytes)	raw_read(raw, offset, to, bytes)
#define FXT_TP_READ_STR(raw, offset, to, room)	raw_read_str(raw, offset, to, room)

#include "fxt/tracepoint.h"

/* Tracepoints of the recording; their counters by tracepoint and CPU.  Guarded by fxt_recording_lock. */
static struct fxtrec_tracepoint *table;
static struct perf_event **counters;
static struct tracepoint **probed;	/* tracepoint with hit() attached, or NULL */
static unsigned int count;

/* Buffer for interrupts off: only a nested NMI or breakpoint finds it busy. */
struct scratch {
	struct fxt_tp_record record;
	bool busy;
};
static struct scratch __percpu *scratch;

/* Puts a record.  Returns whether space was reserved, which the caller commits. */
static bool put(struct fxt_event *e, const struct fxtrec_tracepoint *tp, struct fxt_tp_record *r,
		fxt_tp_raw raw)
{
	u32 at = FXT_TP_HEAD_WORDS, args = 0, i;

	for (i = 0; i < tp->fields; i++) {
		u32 behind = fxt_tp_field(r, at, &tp->field[i], raw);

		args += behind != at;
		at = behind;
	}
	fxt_tp_head(r, tp, at, args, current->tgid, current->pid, e->ticks);
	return fxt_event_put(e->area, r->word, 8 * at, e->ticks);
}

static void overflow(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct fxtrec_tracepoint *tp = event->overflow_handler_context;
	const struct perf_raw_record *record = data->raw;
	bool reserved = false;
	struct scratch *s;
	struct fxt_event e;
	struct raw raw;

	if (!record || !fxt_event_begin(&e))
		return;
	if (probed[tp - table])
		fxt_ring_recorded(e.area);
	if (!fxt_filter_keeps(current->pid)) {
		fxt_event_end(&e, false);
		return;
	}
	raw = (struct raw){ record->frag.data, record->frag.size };
	s = this_cpu_ptr(scratch);
	if (!s->busy) {
		WRITE_ONCE(s->busy, true);
		/*
		 * Set busy around the use of record, since a tracepoint may interrupt it on this CPU; the
		 * barriers pair.
		 */
		barrier();
		reserved = put(&e, tp, &s->record, &raw);
		barrier();
		WRITE_ONCE(s->busy, false);
	} else if (!fxt_events_closed(e.area)) {
		fxt_ring_count_loss(&e.area->ring[FXTREC_RING_EVENTS], FXTREC_LOST_NESTED, e.ticks);
	}
	fxt_event_end(&e, reserved);
}

/* Counts a hit of any tracepoint: this probe ignores the tracepoint's own arguments. */
static void hit(void *data)
{
	struct fxtrec_area *area;
	unsigned long irq;

	local_irq_save(irq);
	area = this_cpu_read(fxt_cpu.area);
	if (area != &fxt_null_area)
		fxt_ring_hit(area);
	local_irq_restore(irq);
}

/*
 * Returns the tracepoint to attach hit() to; NULL for the events of single system calls,
 * which have no tracepoint of their own; for raw_syscalls, where a thread may change its CPU
 * between hit() and perf's probe; and on a kernel with CFI, where hit() has a wrong type.
 */
static struct tracepoint *tracepoint_of(struct perf_event *const *of)
{
	const struct trace_event_call *call = NULL;
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids && !call; cpu++)
		call = of[cpu] ? of[cpu]->tp_event : NULL;
	if (!call || !(call->flags & TRACE_EVENT_FL_TRACEPOINT) ||
	    !strcmp(call->class->system, "raw_syscalls") ||
	    IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI))
		return NULL;
	return call->tp;
}

/*
 * Adds a tracepoint's counters.  Enabling a tracepoint takes the CPU hotplug lock, so the
 * lock can't be held here: a CPU that went offline in between gets no counter.
 */
static int counters_add(struct fxtrec_tracepoint *tp, struct perf_event **of)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = tp->id,
		.sample_period = 1,
		/* With PERIOD each hit is one sample, also of tracepoints that count by a field. */
		.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD,
	};
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		struct perf_event *event = perf_event_create_kernel_counter(&attr, cpu, NULL,
									    overflow, tp);

		if (!IS_ERR(event))
			of[cpu] = event;
		else if (PTR_ERR(event) != -ENODEV)
			return PTR_ERR(event);
	}
	return 0;
}

/*
 * Attaches hit().  The counters hold a reference to the tracepoint's module.  hit() runs before
 * perf's probe: a CPU between both when the rings open hides at most one loss, and never adds one.
 */
static int probe_add(unsigned int i)
{
	struct tracepoint *tp = tracepoint_of(&counters[i * nr_cpu_ids]);
	int err = tp ? tracepoint_probe_register_prio(tp, hit, &table[i],
						      TRACEPOINT_DEFAULT_PRIO + 1) : 0;

	if (!err)
		probed[i] = tp;
	return err;
}

/* Closes the counters.  Drains the probes and the counters' handlers, which use the memory that is freed here. */
static void close_tracepoints(void)
{
	size_t i;

	for (i = 0; probed && i < count; i++)
		if (probed[i])
			tracepoint_probe_unregister(probed[i], hit, &table[i]);
	for (i = 0; counters && i < (size_t)count * nr_cpu_ids; i++)
		if (counters[i])
			perf_event_release_kernel(counters[i]);
	fxt_probe_drain();
	kvfree(probed);
	kvfree(counters);
	free_percpu(scratch);
	probed = NULL;
	counters = NULL;
	scratch = NULL;
}

static int open_tracepoints(void)
{
	unsigned int i;
	int err = 0;

	if (!count)
		return -EINVAL;
	counters = kvcalloc(count, nr_cpu_ids * sizeof(*counters), GFP_KERNEL);
	probed = kvcalloc(count, sizeof(*probed), GFP_KERNEL);
	scratch = alloc_percpu(struct scratch);
	if (!counters || !probed || !scratch)
		err = -ENOMEM;
	for (i = 0; i < count && !err; i++) {
		err = counters_add(&table[i], &counters[i * nr_cpu_ids]);
		if (!err)
			err = probe_add(i);
	}
	if (err)
		close_tracepoints();
	return err;
}

const struct fxt_family fxt_tracepoints_family = {
	.init = open_tracepoints,
	.uninit = close_tracepoints,
};

static bool field_valid(const struct fxtrec_field *f)
{
	if (f->name > FXT_STRING_INDEX_MAX || f->kind >= FXTREC_FIELD_KINDS)
		return false;
	return f->kind > FXTREC_FIELD_UINT || f->size == 1 || f->size == 2 || f->size == 4 ||
	       f->size == 8;
}

static bool valid(const struct fxtrec_tracepoint *tp)
{
	u32 i;

	if (tp->fields > FXTREC_FIELDS_MAX || tp->reserved || tp->category > FXT_STRING_INDEX_MAX ||
	    tp->name > FXT_STRING_INDEX_MAX)
		return false;
	for (i = 0; i < tp->fields; i++)
		if (!field_valid(&tp->field[i]))
			return false;
	return true;
}

int fxt_tracepoint_table_set(struct fxtrec_tracepoint *given, u32 given_count)
{
	unsigned int i;

	lockdep_assert_held(&fxt_recording_lock);
	if (table)
		return -EBUSY;
	for (i = 0; i < given_count; i++)
		if (!valid(&given[i]))
			return -EINVAL;
	table = given;
	count = given_count;
	return 0;
}

void fxt_tracepoint_table_free(void)
{
	lockdep_assert_held(&fxt_recording_lock);
	kvfree(table);
	table = NULL;
	count = 0;
}
