// SPDX-License-Identifier: GPL-2.0-only
/* Writes Perfetto's packets: times in CLOCK_BOOTTIME, shown as CLOCK_MONOTONIC. */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/write/packet_builder.h"
#include "store/keyed.h"

/* Largest difference of the offsets of clocks with equal rates, except for a suspend. */
#define JITTER_NS	1000000ll

struct fxt_pf_file *fxt_pf_file_open(struct fxt_conversion *c, struct fxt_out *out, __u32 machine)
{
	struct fxt_pf_file *f = calloc(1, sizeof(*f));

	if (f) {
		f->c = c;
		f->secret = fxt_keyed_secret();
		f->threads.memory.spill = f->flows.memory.spill = &c->spill;
		f->out = out;
		f->machine = machine;
		f->numbers = fxt_prev_numbers_of(NULL);
	}
	return f;
}

/* Sets the default clock: otherwise, timestamps are of the primary clock. */
static void state_begin(Pf__TracePacket *packet, Pf__TracePacketDefaults *defaults)
{
	pf__trace_packet_defaults__init(defaults);
	defaults->has_timestamp_clock_id = true;
	defaults->timestamp_clock_id = FXT_PF_BOOTTIME;
	packet->trace_packet_defaults = defaults;
	packet->has_sequence_flags = true;
	packet->sequence_flags |= FXT_PF_STATE_CLEARED;
}

void fxt_pf_state_clear(struct fxt_pf_file *f)
{
	memset(f->known, 0, sizeof(f->known));
	fxt_pf_stacks_forget(f);
	f->body_bytes = 0;
	f->bodies = 0;
	f->clearing = true;
}

int fxt_pf_packet(struct fxt_pf_file *f, Pf__TracePacket *packet)
{
	Pf__TracePacketDefaults defaults;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = FXT_PF_SEQUENCE;
	packet->has_machine_id = f->machine != 0;
	packet->machine_id = f->machine;
	if (!f->started) {
		f->clearing = true;
		packet->has_first_packet_on_sequence = packet->first_packet_on_sequence = true;
		f->started = true;
	}
	if (f->clearing)
		state_begin(packet, &defaults);
	f->clearing = false;
	return fxt_pf_block_put(f, packet);
}

__s32 fxt_pf_id(struct fxt_pf_file *f, __u64 koid)
{
	if (koid > INT32_MAX)
		fxt_note(&f->c->unheld, "koids of more than 31 bits, which were cut", 1);
	return koid & INT32_MAX;
}

static bool of_recorder(const struct fxt_record *r, const char *name)
{
	return fxt_record_is_event(r, "fxtrec", name) && r->event.type == FXT_EVENT_INSTANT;
}

/*
 * Relates another machine's clocks to the first machine's, which are equal.  A clock snapshot of its own would make its
 * clock the trace's; two rounds are the minimum to relate them.
 */
static int clock_sync_put(struct fxt_pf_file *f, Pf__ClockSnapshot *snapshot)
{
	Pf__RemoteClockSync__SyncedClocks round = PF__REMOTE_CLOCK_SYNC__SYNCED_CLOCKS__INIT;
	Pf__RemoteClockSync__SyncedClocks *rounds[2] = { &round, &round };
	Pf__RemoteClockSync sync = PF__REMOTE_CLOCK_SYNC__INIT;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;

	round.client_clocks = round.host_clocks = snapshot;
	sync.n_synced_clocks = 2;
	sync.synced_clocks = rounds;
	packet.remote_clock_sync = &sync;
	return fxt_pf_packet(f, &packet);
}

/*
 * Writes a reading of the clocks; the first one sets the offset to BOOTTIME, which is the clock of ftrace events.  1
 * where the record is not a reading.
 */
static int clock_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	Pf__ClockSnapshot__Clock clocks[3], *list[3] = { &clocks[0], &clocks[1], &clocks[2] };
	static const __u32 ids[] = { FXT_PF_REALTIME, FXT_PF_MONOTONIC, FXT_PF_BOOTTIME };
	Pf__ClockSnapshot snapshot = PF__CLOCK_SNAPSHOT__INIT;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	bool boot = fxt_arg_equal(fxt_record_arg(r, "clock"), "boot");
	__u64 values[3], i;

	if (fxt_arg_number(fxt_record_arg(r, "realtime"), &values[0]) ||
	    fxt_arg_number(fxt_record_arg(r, "monotonic"), &values[1]) ||
	    fxt_arg_number(fxt_record_arg(r, "boottime"), &values[2]))
		return 1;
	if (!f->offset_known && !boot)
		f->offset = values[2] - values[1];
	f->offset_known = true;
	if (!boot && llabs((long long)(values[2] - values[1] - f->offset)) < JITTER_NS)
		values[2] = values[1] + f->offset;
	for (i = 0; i < 3; i++) {
		pf__clock_snapshot__clock__init(&clocks[i]);
		clocks[i].has_clock_id = clocks[i].has_timestamp = true;
		clocks[i].clock_id = ids[i];
		clocks[i].timestamp = values[i];
	}
	snapshot.n_clocks = 3;
	snapshot.clocks = list;
	if (f->machine)
		return clock_sync_put(f, &snapshot);
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = boot ? FXT_PF_BOOTTIME : FXT_PF_MONOTONIC;
	packet.clock_snapshot = &snapshot;
	packet.has_timestamp = true;
	packet.timestamp = fxt_pf_time(f, r->ticks);
	return fxt_pf_packet(f, &packet);
}

/*
 * Keeps the kernel's version, which Perfetto needs for the states of tasks, and the number of CPUs: they are written at
 * once, as the last packet counts.
 */
static int backend_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	const struct fxt_arg *arg = fxt_record_arg(r, "release");
	__u64 cpus = 0;

	f->recorded = true;
	if (arg && arg->type == FXT_ARG_STRING && arg->string.length < sizeof(f->release)) {
		memcpy(f->release, arg->string.bytes, arg->string.length);
		f->release[arg->string.length] = 0;
	}
	fxt_arg_number(fxt_record_arg(r, "cpus"), &cpus);
	f->cpus_said = cpus;
	return 0;
}

/*
 * Writes a SystemInfo for a trace without a "host"; the service's version keeps the reader from creating a "host" from
 * it.
 */
static int system_put(struct fxt_pf_file *f)
{
	Pf__SystemInfo__Utsname name = PF__SYSTEM_INFO__UTSNAME__INIT;
	Pf__SystemInfo info = PF__SYSTEM_INFO__INIT;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;

	name.sysname = (char *)"Linux";
	name.release = f->release[0] ? f->release : (char *)FXT_PF_UNKNOWN_RELEASE;
	info.utsname = &name;
	info.has_num_cpus = f->cpus_said != 0;
	info.num_cpus = f->cpus_said;
	info.tracing_service_version = (char *)FXT_PF_SERVICE;
	f->numbers = fxt_prev_numbers_of(name.release);
	f->system_known = true;
	packet.system_info = &info;
	return fxt_pf_packet(f, &packet);
}

/* Writes packets of the trace, unchanged. */
static int blob_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	int err;

	if (r->blob_type != FXT_BLOB_PERFETTO || r->payload.bytes < r->payload.length) {
		fxt_note(&f->c->unheld, "blobs", 1);
		return 0;
	}
	err = fxt_pf_block_flush(f);
	fxt_out_bytes(f->out, r->payload.data, r->payload.length);
	return err ? err : f->out->err;
}

static int unheld(struct fxt_pf_file *f, const char *kind)
{
	fxt_note(&f->c->unheld, kind, 1);
	return 0;
}

static int record_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_migrate_view migration;

	switch (r->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_LEGACY_SWITCH:
		return fxt_pf_switch(f, r);
	case FXT_KIND_WAKEUP:
		return fxt_pf_wakeup(f, r);
	case FXT_KIND_EVENT:
		return fxt_migrate_view_get(&migration, r) ? fxt_pf_event(f, r) :
		       fxt_pf_migrate(f, &migration, r->ticks);
	case FXT_KIND_LOG:
		return fxt_pf_log(f, r, &r->text);
	case FXT_KIND_KERNEL_OBJECT:
		return fxt_pf_object(f, r);
	case FXT_KIND_PROVIDER_EVENT:
		return fxt_pf_lost(f, r);
	case FXT_KIND_BLOB:
		return blob_put(f, r);
	case FXT_KIND_LARGE_BLOB:
		return unheld(f, "large blobs");
	case FXT_KIND_USERSPACE_OBJECT:
		return unheld(f, "userspace objects");
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
	case FXT_KIND_BACKTRACE:
		return unheld(f, "profiler records");
	default:
		return unheld(f, "other records");
	}
}

/* Writes the first records: the recorder's events come first, and their packets must precede all others. */
static int start_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	if (!f->holding && !f->offset_known && of_recorder(r, "backend") && fxt_nest_holdable(r)) {
		f->held = *r;
		f->holding = true;
		return 0;
	}
	if (r->kind == FXT_KIND_KERNEL_OBJECT && !fxt_record_arg(r, "since"))
		return 1;
	if (f->holding) {
		int err = of_recorder(r, "clock") ? clock_put(f, r) : 1;
		int after = backend_put(f, &f->held);

		f->holding = false;
		if (!after)
			after = fxt_pf_event(f, &f->held);
		return after ? after : err;
	}
	if (of_recorder(r, "clock"))
		return clock_put(f, r);
	if (of_recorder(r, "backend"))
		return backend_put(f, r) ? : 1;
	if (of_recorder(r, "host"))
		return fxt_pf_host(f, r);
	return of_recorder(r, "processor") ? fxt_pf_processor(f, r) ? : 1 : 1;
}

int fxt_pf_file_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	int err = f->processor_count && !of_recorder(r, "processor") ? fxt_pf_processors_flush(f) : 0;

	if (!err && !fxt_pf_operation_is_of(f, r))
		err = fxt_pf_operation_flush(f);
	if (err)
		return err;
	f->bundled++;
	err = r->kind == FXT_KIND_EVENT || f->holding ? start_put(f, r) : 1;
	if (err > 0 && !f->system_known && r->kind != FXT_KIND_KERNEL_OBJECT && !of_recorder(r, "backend") &&
	    !of_recorder(r, "clock"))
		err = system_put(f) ? : 1;
	return err <= 0 ? err : record_put(f, r);
}

int fxt_pf_file_close(struct fxt_pf_file *f, bool failed)
{
	int err = failed ? 0 : fxt_pf_operation_flush(f);

	if (!failed && !err && f->holding)
		err = backend_put(f, &f->held) ? : fxt_pf_event(f, &f->held);
	if (!failed && !err && f->processor_count)
		err = fxt_pf_processors_flush(f);
	if (!failed && !err)
		err = fxt_pf_sleeps_flush(f) ? : fxt_pf_sched_flush(f);
	if (!failed && !err)
		err = fxt_pf_losses_put(f);
	if (!failed && !err)
		err = fxt_pf_block_flush(f);
	fxt_pf_sched_free(f);
	fxt_pf_block_free(f);
	fxt_pf_sleeps_free(f);
	fxt_map_uninit(&f->threads, NULL);
	fxt_pf_processors_free(f);
	fxt_map_uninit(&f->tracks, NULL);
	fxt_map_uninit(&f->open, free);
	free(f->operation);
	fxt_map_uninit(&f->flows, free);
	fxt_map_uninit(&f->functions, NULL);
	free(f->syscalls);
	free(f->typed);
	free(f);
	return err;
}
