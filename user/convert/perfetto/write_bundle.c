// SPDX-License-Identifier: GPL-2.0-only
/* Gathers a CPU's events in columns, and writes them as one packet. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/write_bundle.h"
#include "util/keyed.h"

/* Events of all CPUs' bundles at a time, and limits of one. */
#define EVENTS_ALL	((size_t)128 << 10)
#define EVENTS_MAX	((size_t)8 << 10)
#define EVENTS_MIN	((size_t)64)

/* What all columns have room for, at most. */
#define ROOM_ALL	(EVENTS_ALL + EVENTS_ALL / 4)

/* Of a hash, to the bits of the table of names. */
#define SLOTS_SHIFT	(64 - 9)
_Static_assert(2 * FXT_PF_COMMS == 1u << 9, "the hash's bits are the table's");

/* A bundle is written after that time, so that a cut file lacks little. */
#define BUNDLE_NS	1000000000ull

bool fxt_pf_bundle_empty(const struct fxt_pf_cpu *cpu)
{
	return !cpu->switches.count && !cpu->wakings.count && !cpu->full_count;
}

static int grow(void *array, size_t size, size_t room)
{
	void **at = array, *grown = realloc(*at, size * room);

	if (!grown)
		return -ENOMEM;
	*at = grown;
	return 0;
}

static int column_grow(struct fxt_pf_column *c, size_t room)
{
	if (grow(&c->time, sizeof(*c->time), room) || grow(&c->state, sizeof(*c->state), room) ||
	    grow(&c->pid, sizeof(*c->pid), room) || grow(&c->prio, sizeof(*c->prio), room) ||
	    grow(&c->target, sizeof(*c->target), room) ||
	    grow(&c->comm, sizeof(*c->comm), room) || grow(&c->flags, sizeof(*c->flags), room))
		return -ENOMEM;
	return 0;
}

static void column_free(struct fxt_pf_column *c)
{
	free(c->time);
	free(c->state);
	free(c->pid);
	free(c->prio);
	free(c->target);
	free(c->comm);
	free(c->flags);
	*c = (struct fxt_pf_column){ 0 };
}

static void columns_free(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu)
{
	column_free(&cpu->switches);
	column_free(&cpu->wakings);
	f->column_room -= cpu->room;
	cpu->room = 0;
}

/* Earlier CPUs may have more room than each has by now: all begin anew. */
static int columns_release(struct fxt_pf_file *f)
{
	int err = fxt_pf_sched_flush(f);
	__u32 i;

	for (i = 0; i < FXT_PF_CPUS; i++)
		if (f->cpus[i])
			columns_free(f, f->cpus[i]);
	return err;
}

/* Makes room for one more in each column; 1 where the bundle is full. */
static int room_make(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu)
{
	size_t most = EVENTS_ALL / f->cpu_count, room = cpu->room ? 2 * cpu->room : EVENTS_MIN;
	int err = 0;

	if (most > EVENTS_MAX)
		most = EVENTS_MAX;
	if (most < EVENTS_MIN)
		most = EVENTS_MIN;
	if (cpu->switches.count >= most || cpu->wakings.count >= most)
		return 1;
	if (cpu->switches.count < cpu->room && cpu->wakings.count < cpu->room)
		return 0;
	if (f->column_room + room - cpu->room > ROOM_ALL) {
		err = columns_release(f);
		room = EVENTS_MIN;
	}
	if (err || column_grow(&cpu->switches, room) || column_grow(&cpu->wakings, room))
		return err ? err : -ENOMEM;
	f->column_room += room - cpu->room;
	cpu->room = room;
	return 0;
}

int fxt_pf_bundle_ready(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 ns,
			enum fxt_pf_order order)
{
	int err = room_make(f, cpu);

	if (err < 0)
		return err;
	if (!fxt_pf_bundle_empty(cpu) &&
	    (err || ns - cpu->first >= BUNDLE_NS || cpu->full_count == FXT_PF_FULLS ||
	     cpu->comm_count + 2 > FXT_PF_COMMS ||
	     (ns == cpu->last && order < cpu->last_order))) {
		err = fxt_pf_bundle_flush(f, cpu);
		if (err)
			return err;
	}
	if (fxt_pf_bundle_empty(cpu))
		cpu->first = ns;
	cpu->last = ns;
	cpu->last_order = order;
	return 0;
}

__u32 fxt_pf_bundle_comm(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 tid)
{
	static struct fxt_pf_comm unnamed = { .serial = UINT32_MAX, .text = "" };
	const struct fxt_pf_thread *thread = fxt_pf_thread(f, tid);
	struct fxt_pf_comm *comm = thread && thread->comm ? thread->comm : &unnamed;
	__u32 i;

	for (i = fxt_keyed_number(f->secret, comm->serial) >> SLOTS_SHIFT; cpu->slots[i];
	     i = (i + 1) % (2 * FXT_PF_COMMS))
		if (cpu->comms[cpu->slots[i] - 1]->serial == comm->serial)
			return cpu->slots[i] - 1;
	cpu->comms[cpu->comm_count++] = comm;
	cpu->slots[i] = cpu->comm_count;
	return cpu->comm_count - 1;
}

struct fxt_pf_full *fxt_pf_bundle_full(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 ns)
{
	struct fxt_pf_full *full = &cpu->full[cpu->full_count++];

	pf__ftrace_event__init(&full->event);
	full->event.has_timestamp = true;
	full->event.timestamp = fxt_pf_time(f, ns);
	return full;
}

static void switches_set(Pf__FtraceEventBundle__CompactSched *compact,
			 const struct fxt_pf_column *c)
{
	compact->n_switch_timestamp = compact->n_switch_prev_state = compact->n_switch_next_pid =
		compact->n_switch_next_prio = compact->n_switch_next_comm_index = c->count;
	compact->switch_timestamp = c->time;
	compact->switch_prev_state = c->state;
	compact->switch_next_pid = c->pid;
	compact->switch_next_prio = c->prio;
	compact->switch_next_comm_index = c->comm;
}

static void wakings_set(Pf__FtraceEventBundle__CompactSched *compact,
			const struct fxt_pf_column *c, bool flagged)
{
	compact->n_waking_timestamp = compact->n_waking_pid = compact->n_waking_target_cpu =
		compact->n_waking_prio = compact->n_waking_comm_index = c->count;
	compact->waking_timestamp = c->time;
	compact->waking_pid = c->pid;
	compact->waking_target_cpu = c->target;
	compact->waking_prio = c->prio;
	compact->waking_comm_index = c->comm;
	compact->n_waking_common_flags = flagged ? c->count : 0;
	compact->waking_common_flags = c->flags;
}

static void bundle_empty(struct fxt_pf_cpu *cpu)
{
	memset(cpu->slots, 0, sizeof(cpu->slots));
	cpu->comm_count = 0;
	cpu->full_count = 0;
	cpu->switches.count = cpu->wakings.count = 0;
	cpu->switches.last = cpu->wakings.last = 0;
	cpu->flagged = false;
	cpu->lost = false;
}

int fxt_pf_bundle_flush(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu)
{
	Pf__FtraceEventBundle__CompactSched compact = PF__FTRACE_EVENT_BUNDLE__COMPACT_SCHED__INIT;
	Pf__FtraceEventBundle bundle = PF__FTRACE_EVENT_BUNDLE__INIT;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__FtraceEvent *events[FXT_PF_FULLS];
	char *names[FXT_PF_COMMS];
	size_t i;
	int err;

	if (fxt_pf_bundle_empty(cpu) && !cpu->lost)
		return 0;
	for (i = 0; i < cpu->full_count; i++)
		events[i] = &cpu->full[i].event;
	for (i = 0; i < cpu->comm_count; i++)
		names[i] = cpu->comms[i]->text;
	switches_set(&compact, &cpu->switches);
	wakings_set(&compact, &cpu->wakings, cpu->flagged);
	compact.n_intern_table = cpu->comm_count;
	compact.intern_table = names;
	bundle.has_cpu = true;
	bundle.cpu = cpu->cpu;
	bundle.has_lost_events = bundle.lost_events = cpu->lost;
	bundle.n_event = cpu->full_count;
	bundle.event = events;
	if (cpu->switches.count || cpu->wakings.count)
		bundle.compact_sched = &compact;
	packet.ftrace_events = &bundle;
	err = fxt_pf_packet(f, &packet);
	bundle_empty(cpu);
	return err;
}

void fxt_pf_bundle_free(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu)
{
	columns_free(f, cpu);
	free(cpu);
}
