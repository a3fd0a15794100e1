// SPDX-License-Identifier: GPL-2.0-only
/* Turns statistics of processes and of the system, from /proc and /sys, into counters with Perfetto's names. */
#include <stdio.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"
#include "formats/perfetto/read/unread.h"
#include "formats/perfetto/read/wire.h"
#include "formats/perfetto/statistic.h"
#include "util/utf8.h"

/* Fields of TracePacket, and of their messages. */
enum { SYSTEM = 7 };
enum { COLLECTION_END = 2, PROCESS_THREADS = 11, SYSTEM_MEMORY = 1, SYSTEM_VMSTAT = 2,
       SYSTEM_CPU_TIMES = 3, SYSTEM_COLLECTION_END = 9, SYSTEM_FREQUENCY = 11, SYSTEM_PRESSURE = 14,
       SYSTEM_IDLE_STATES = 16 };

static const struct fxt_pf_statistic of_cpu[] = {
	{ 2, "cpu.times.user_ns", 1 }, { 3, "cpu.times.user_nice_ns", 1 }, { 4, "cpu.times.system_mode_ns", 1 },
	{ 5, "cpu.times.idle_ns", 1 }, { 6, "cpu.times.io_wait_ns", 1 }, { 7, "cpu.times.irq_ns", 1 },
	{ 8, "cpu.times.softirq_ns", 1 }, { 9, "cpu.times.steal_ns", 1 },
};

static const struct fxt_pf_statistic of_system[] = {
	{ 4, "num_forks", 1 }, { 5, "num_irq_total", 1 }, { 7, "num_softirq_total", 1 },
};

/* Messages of a key and a value; "%" is replaced by the key's name, by its number or as a text. */
static const struct keyed {
	__u32 field;
	__u8 key, value;
	const char *name;
} keyed[] = {
	{ 6, 1, 2, "num_irq (id: %)" }, { 8, 1, 2, "num_softirq (id: %)" }, { 10, 1, 2, "% Frequency" },
	{ SYSTEM_PRESSURE, 1, 2, "psi.%" }, { 15, 3, 2, "%" },
};

static const char *const memory[] = {
	NULL, "MemTotal", "MemFree", "MemAvailable", "Buffers", "Cached", "SwapCached", "Active", "Inactive",
	"Active(anon)", "Inactive(anon)", "Active(file)", "Inactive(file)", "Unevictable", "Mlocked", "SwapTotal",
	"SwapFree", "Dirty", "Writeback", "AnonPages", "Mapped", "Shmem", "Slab", "SReclaimable", "SUnreclaim",
	"KernelStack", "PageTables", "CommitLimit", "Committed_AS", "VmallocTotal", "VmallocUsed", "VmallocChunk",
	"CmaTotal", "CmaFree", "Gpu", "Zram", "Misc", "ION_heap", "ION_heap_pool",
};

static const char *const pressure[] = {
	NULL, "cpu.some", "cpu.full", "io.some", "io.full", "mem.some", "mem.full",
};

#define COUNT(list)	(sizeof(list) / sizeof((list)[0]))

/* Process and time of the statistics. */
struct owner {
	struct fxt_pf_reader *rd;
	__u64 process, id, ns;
};

static int put(const struct owner *o, struct fxt_text name, __s64 value)
{
	struct fxt_record r;

	fxt_build_event(&r, FXT_EVENT_COUNTER, o->ns, o->process, 0, fxt_build_string(""), name);
	r.event.id = o->id;
	fxt_build_arg_int(&r, fxt_build_string(FXT_PF_VALUE_ARG), value);
	return fxt_pf_put(o->rd, &r, o->ns, o->rd->feed.provider);
}

/* Puts a field that a list names; 1 where the list doesn't. */
static int listed_put(const struct owner *o, const struct fxt_pf_statistic *list, size_t count, const struct fxt_pf_wire *w)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (list[i].field == w->field && w->type == FXT_PF_VARINT)
			return put(o, fxt_build_string(list[i].name), w->number * list[i].multiplier);
	return 1;
}

/* Returns the number in a field of a message, 0 where it has none. */
static __u64 number_of(struct fxt_pf_wire w, __u32 field)
{
	__u64 number = 0;

	while (fxt_pf_wire_next(&w))
		if (w.field == field)
			number = w.number;
	return number;
}

static const char *named(const char *const *names, size_t count, __u64 key)
{
	return key < count ? names[key] : NULL;
}

static void uncounted(const struct owner *o, enum fxt_pf_unread message, __u32 field)
{
	if (!fxt_pf_unread_field(o->rd->c, message, field))
		fxt_skip_number(o->rd->c, "statistics with field %u", field, 1);
}

static int process_put(struct owner *o, struct fxt_pf_wire w)
{
	const struct fxt_pf_statistic *s;
	int err = 0;

	o->process = (__u32)number_of(w, FXT_PF_STATS_PID);
	while (err >= 0 && fxt_pf_wire_next(&w)) {
		if (w.field == FXT_PF_STATS_PID || w.field == PROCESS_THREADS)
			continue;
		s = fxt_pf_statistic(w.field);
		err = s ? listed_put(o, s, 1, &w) : 1;
		if (err == 1)
			uncounted(o, FXT_PF_UNREAD_PROCESS_STATS, w.field);
	}
	return err < 0 ? err : 0;
}

static int cpu_put(struct owner o, struct fxt_pf_wire w)
{
	int err = 0;

	o.id = number_of(w, 1);
	fxt_skip(o.rd->c, "statistics of a CPU, which is in the names of their counters alone", 1);
	while (err >= 0 && fxt_pf_wire_next(&w))
		err = listed_put(&o, of_cpu, COUNT(of_cpu), &w);
	return err < 0 ? err : 0;
}

/* Puts a message of a number, which stands for a name, and a value. */
static int memory_put(const struct owner *o, const char *name, __u64 value)
{
	if (name)
		return put(o, fxt_build_string(name), value);
	fxt_skip(o->rd->c, "statistics of memory that have no name here", 1);
	return 0;
}

/* Puts the times that a CPU was in its idle states: a name and microseconds. */
static int idle_states_put(const struct owner *o, struct fxt_pf_wire w)
{
	__u32 cpu = number_of(w, 1);
	int err = 0;

	fxt_skip(o->rd->c, "statistics of a CPU, which is in the names of their counters alone", 1);
	while (!err && fxt_pf_wire_next(&w)) {
		struct fxt_pf_wire state = fxt_pf_wire_inner(&w), again = state;
		struct fxt_text text = fxt_build_string("");
		char name[256];

		if (w.field != 2)
			continue;
		while (fxt_pf_wire_next(&again))
			if (again.field == 1)
				text = fxt_pf_wire_text(&again);
		if (text.length > sizeof(name) - 32)
			text.length = fxt_utf8_valid(text.bytes, sizeof(name) - 32);
		snprintf(name, sizeof(name), "cpuidle%u.%.*s", cpu, (int)text.length, text.bytes);
		err = put(o, fxt_build_string(name), number_of(state, 2));
	}
	return err;
}

static int keyed_put(const struct owner *o, const struct keyed *k, struct fxt_pf_wire w)
{
	const char *percent = strchr(k->name, '%'), *known;
	char name[256], number[24];
	struct fxt_text key = fxt_build_string("");
	__u64 value = number_of(w, k->value);

	while (fxt_pf_wire_next(&w)) {
		if (w.field != k->key)
			continue;
		known = k->field == SYSTEM_PRESSURE ? named(pressure, COUNT(pressure), w.number) : NULL;
		snprintf(number, sizeof(number), "%lld", (long long)w.number);
		key = w.type == FXT_PF_BYTES ? fxt_pf_wire_text(&w) : fxt_build_string(known ? known : number);
	}
	if (key.length > sizeof(name) - 32)
		key.length = fxt_utf8_valid(key.bytes, sizeof(name) - 32);
	snprintf(name, sizeof(name), "%.*s%.*s%s", (int)(percent - k->name), k->name, (int)key.length, key.bytes,
		 percent + 1);
	return put(o, fxt_build_string(name), value);
}

/* Puts a frequency, like cpu_frequency of a bundle. */
static int frequency_put(const struct owner *o, __u64 cpu, __u64 frequency)
{
	struct fxt_record r;

	fxt_build_event(&r, FXT_EVENT_COUNTER, o->ns, 0, 0, fxt_build_string("power"), fxt_build_string("cpu_frequency"));
	r.event.id = cpu;
	fxt_build_arg_uint(&r, fxt_build_string("state"), (__u32)frequency);
	return fxt_pf_put(o->rd, &r, o->ns, o->rd->feed.provider);
}

static int system_put(struct owner *o, struct fxt_pf_wire w)
{
	__u64 cpu = 0;
	int err = 0;
	size_t i;

	while (!err && fxt_pf_wire_next(&w)) {
		if (w.field == SYSTEM_COLLECTION_END)
			continue;
		for (i = 0; i < COUNT(keyed) && keyed[i].field != w.field; i++)
			;
		if (i < COUNT(keyed))
			err = keyed_put(o, &keyed[i], fxt_pf_wire_inner(&w));
		else if (w.field == SYSTEM_MEMORY)
			err = memory_put(o, named(memory, COUNT(memory), number_of(fxt_pf_wire_inner(&w), 1)),
					 number_of(fxt_pf_wire_inner(&w), 2) * 1024);
		else if (w.field == SYSTEM_VMSTAT)
			err = memory_put(o, fxt_pf_vmstat(number_of(fxt_pf_wire_inner(&w), 1)),
					 number_of(fxt_pf_wire_inner(&w), 2));
		else if (w.field == SYSTEM_IDLE_STATES)
			err = idle_states_put(o, fxt_pf_wire_inner(&w));
		else if (w.field == SYSTEM_CPU_TIMES)
			err = cpu_put(*o, fxt_pf_wire_inner(&w));
		else if (w.field == SYSTEM_FREQUENCY && w.type == FXT_PF_VARINT)
			err = frequency_put(o, cpu++, w.number);
		else
			err = listed_put(o, of_system, COUNT(of_system), &w);
		if (err == 1) {
			uncounted(o, FXT_PF_UNREAD_SYS_STATS, w.field);
			err = 0;
		}
	}
	return err;
}

static int processes_put(struct owner *o, struct fxt_pf_wire w)
{
	int err = 0;

	while (!err && fxt_pf_wire_next(&w))
		if (w.field != COLLECTION_END)
			err = process_put(o, fxt_pf_wire_inner(&w));
	return err;
}

int fxt_pf_statistics(struct fxt_pf_reader *rd, const Pf__TracePacket *packet, __u64 ns)
{
	struct owner o = { .rd = rd, .ns = ns };
	unsigned int i;
	int err = 0;

	for (i = 0; i < packet->base.n_unknown_fields && !err; i++) {
		const ProtobufCMessageUnknownField *f = &packet->base.unknown_fields[i];

		if (f->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
			continue;
		if (f->tag == SYSTEM)
			err = system_put(&o, fxt_pf_wire_unknown(f->data, f->len));
		else if (f->tag == FXT_PF_PROCESS_STATS)
			err = processes_put(&o, fxt_pf_wire_unknown(f->data, f->len));
	}
	return err;
}
