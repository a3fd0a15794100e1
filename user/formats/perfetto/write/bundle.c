// SPDX-License-Identifier: GPL-2.0-only
/* Gathers a CPU's events in columns, and writes them as one packet. */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/write/bundle.h"
#include "store/keyed.h"

/* Limit of the events in all CPUs' bundles at a time; limits of one bundle. */
#define EVENTS_ALL	((size_t)128 << 10)
#define EVENTS_MAX	((size_t)8 << 10)
#define EVENTS_MIN	((size_t)64)

/* Limit of the capacity of all columns. */
#define ROOM_ALL	(EVENTS_ALL + EVENTS_ALL / 4)

/* Shift from a hash to an index in the table of names. */
#define SLOTS_SHIFT	(64 - 9)
_Static_assert(2 * FXT_PF_COMMS == 1u << 9, "the hash's bits are the table's");

/* Limit of the bytes of other events in all CPUs' bundles; limits of one bundle. */
#define EVENT_BYTES_ALL		((size_t)8 << 20)
#define EVENT_BYTES_MAX		((size_t)256 << 10)
#define EVENT_BYTES_MIN		((size_t)4 << 10)

/* Most bytes of an event's own fields, before its message. */
#define EVENT_HEAD_BYTES	64u

/* Most bytes of an event. */
#define EVENT_BYTES_ONE		(EVENT_HEAD_BYTES + FXT_PF_MESSAGE_MAX)

_Static_assert(EVENT_BYTES_MIN > 2 * EVENT_BYTES_ONE, "two events have room");

/* Longest time of a bundle, so that a file that is cut off lacks little. */
#define BUNDLE_NS	1000000000ull

bool fxt_pf_bundle_empty(const struct fxt_pf_cpu *cpu)
{
	return !cpu->switches.count && !cpu->wakings.count && !cpu->events.length;
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

/* Frees all columns: those of earlier CPUs may be larger than a CPU's share is now. */
static int columns_release(struct fxt_pf_file *f)
{
	int err = fxt_pf_sched_flush(f);
	__u32 i;

	for (i = 0; i < FXT_PF_CPUS; i++)
		if (f->cpus[i])
			columns_free(f, f->cpus[i]);
	return err;
}

/* Makes capacity for one more event in each column; 1 where the bundle is full. */
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

/* Makes capacity for one more of the other events. */
static int events_grow(struct fxt_pf_cpu *cpu)
{
	size_t need = cpu->events.length + EVENT_BYTES_ONE, room = cpu->events.room;

	if (need <= room)
		return 0;
	room = 2 * room < EVENT_BYTES_MIN ? EVENT_BYTES_MIN : 2 * room;
	if (grow(&cpu->events.bytes, 1, room))
		return -ENOMEM;
	cpu->events.room = room;
	return 0;
}

/* Makes the same capacity within the CPU's limit; 1 where the bundle is full. */
static int events_room(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu)
{
	size_t most = EVENT_BYTES_ALL / f->cpu_count;

	most = most > EVENT_BYTES_MAX ? EVENT_BYTES_MAX : most < EVENT_BYTES_MIN ? EVENT_BYTES_MIN : most;
	if (cpu->events.length + EVENT_BYTES_ONE > most)
		return cpu->events.length ? 1 : -ENOMEM;
	return events_grow(cpu);
}

int fxt_pf_bundle_ready(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 ns,
			enum fxt_pf_order order)
{
	int err = room_make(f, cpu);

	if (!err)
		err = events_room(f, cpu);
	if (err < 0)
		return err;
	if (!fxt_pf_bundle_empty(cpu) &&
	    (err || ns - cpu->first >= BUNDLE_NS || cpu->symbol_count == FXT_PF_SYMBOLS ||
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
	/* The bundle may just have been emptied. */
	err = events_room(f, cpu);
	return err < 0 ? err : 0;
}

int fxt_pf_bundle_follow(struct fxt_pf_cpu *cpu)
{
	cpu->last_order = FXT_PF_FULL;
	return events_grow(cpu);
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

const char *fxt_pf_bundle_name(const struct fxt_pf_cpu *cpu, __u32 index)
{
	return cpu->comms[index]->text;
}

static __u32 symbol_add(struct fxt_pf_cpu *cpu, __u32 number, const struct fxt_text *function)
{
	size_t i;

	for (i = 0; i < cpu->symbol_count; i++)
		if (cpu->symbols[i].number == number)
			return number;
	if (cpu->symbol_count == FXT_PF_SYMBOLS)
		return 0;
	cpu->symbols[cpu->symbol_count++] = (struct fxt_pf_symbol){ number, *function };
	return number;
}

__u32 fxt_pf_bundle_symbol(struct fxt_pf_cpu *cpu, const struct fxt_text *function)
{
	/* An inline text has no number. */
	return function->ref & FXT_REF_INLINE || !function->ref ? 0 : symbol_add(cpu, function->ref, function);
}

__u32 fxt_pf_bundle_call(struct fxt_pf_cpu *cpu, __u32 number)
{
	return symbol_add(cpu, number, &(struct fxt_text){ .bytes = NULL });
}

/* Adds an event's fields in the order that Perfetto expects, which is faster. */
void fxt_pf_bundle_add(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_pf_event *e,
		       const struct fxt_pf_message *m)
{
	__u8 head[EVENT_HEAD_BYTES], *end, *at = cpu->events.bytes + cpu->events.length;

	*head = FXT_PF_EVENT_TIME;
	end = fxt_pf_varint(head + 1, fxt_pf_time(f, e->ns));
	*end = FXT_PF_EVENT_PID;
	end = fxt_pf_varint(end + 1, e->pid);
	if (e->flags) {
		*end = FXT_PF_EVENT_FLAGS;
		end = fxt_pf_varint(end + 1, e->flags);
	}
	end = fxt_pf_varint(end, e->field << 3 | 2);
	end = fxt_pf_varint(end, m->length);
	*at = FXT_PF_EVENT_TAG;
	at = fxt_pf_varint(at + 1, end - head + m->length);
	memcpy(at, head, end - head);
	at += end - head;
	memcpy(at, m->bytes, m->length);
	cpu->events.length = at + m->length - cpu->events.bytes;
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
	cpu->events.length = 0;
	cpu->symbol_count = 0;
	cpu->switches.count = cpu->wakings.count = 0;
	cpu->switches.last = cpu->wakings.last = 0;
	cpu->flagged = false;
	cpu->lost = false;
}

/* Fills the list of functions and calls that events refer to. */
static int symbols_set(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, Pf__InternedData *interned, Pf__InternedText *texts,
		       Pf__InternedText **list)
{
	int err = 0;
	size_t i;

	for (i = 0; i < cpu->symbol_count; i++) {
		const struct fxt_pf_symbol *symbol = &cpu->symbols[i];

		pf__interned_text__init(&texts[i]);
		list[i] = &texts[i];
		texts[i].has_iid = true;
		texts[i].iid = symbol->number;
		texts[i].str = symbol->function.bytes ? fxt_text_copy(&symbol->function) :
							fxt_pf_call_text(f, symbol->number);
		if (!texts[i].str)
			err = -ENOMEM;
	}
	interned->n_kernel_symbols = cpu->symbol_count;
	interned->kernel_symbols = list;
	return err;
}

/* Adds the events, which are encoded already, as a field that protobuf-c doesn't know, after its tag. */
static void events_set(struct fxt_pf_cpu *cpu, Pf__FtraceEventBundle *bundle,
		       ProtobufCMessageUnknownField *field)
{
	*field = (ProtobufCMessageUnknownField){
		.tag = FXT_PF_EVENT_TAG >> 3,
		.wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
		.len = cpu->events.length - 1,
		.data = cpu->events.bytes + 1,
	};
	bundle->base.n_unknown_fields = 1;
	bundle->base.unknown_fields = field;
}

int fxt_pf_bundle_flush(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu)
{
	Pf__FtraceEventBundle__CompactSched compact = PF__FTRACE_EVENT_BUNDLE__COMPACT_SCHED__INIT;
	Pf__InternedText texts[FXT_PF_SYMBOLS], *list[FXT_PF_SYMBOLS];
	Pf__FtraceEventBundle bundle = PF__FTRACE_EVENT_BUNDLE__INIT;
	Pf__InternedData interned = PF__INTERNED_DATA__INIT;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	ProtobufCMessageUnknownField events;
	char *names[FXT_PF_COMMS];
	size_t i;
	int err;

	if (fxt_pf_bundle_empty(cpu) && !cpu->lost)
		return 0;
	for (i = 0; i < cpu->comm_count; i++)
		names[i] = cpu->comms[i]->text;
	switches_set(&compact, &cpu->switches);
	wakings_set(&compact, &cpu->wakings, cpu->flagged);
	compact.n_intern_table = cpu->comm_count;
	compact.intern_table = names;
	bundle.has_cpu = true;
	bundle.cpu = cpu->cpu;
	bundle.has_lost_events = bundle.lost_events = cpu->lost;
	if (cpu->events.length)
		events_set(cpu, &bundle, &events);
	if (cpu->switches.count || cpu->wakings.count)
		bundle.compact_sched = &compact;
	packet.ftrace_events = &bundle;
	err = symbols_set(f, cpu, &interned, texts, list);
	if (cpu->symbol_count)
		packet.interned_data = &interned;
	if (!err)
		err = fxt_pf_packet(f, &packet);
	for (i = 0; i < cpu->symbol_count; i++)
		free(texts[i].str);
	bundle_empty(cpu);
	return err;
}

void fxt_pf_bundle_free(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu)
{
	columns_free(f, cpu);
	free(cpu->events.bytes);
	free(cpu);
}
