// SPDX-License-Identifier: GPL-2.0-only
/* Times of any clock as CLOCK_MONOTONIC, by clock snapshots. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/read/read.h"
#include "convert/skip.h"

/* MONOTONIC and BOOTTIME tick alike: the difference of readings, except for a suspend. */
#define JITTER_NS	1000000ll

/* Clocks that belong to one sequence. */
static bool is_local(__u32 id)
{
	return id >= 64 && id < 128;
}

static struct fxt_pf_clock_relation *find(struct fxt_pf_clocks *clocks, __u32 id)
{
	__u32 i;

	for (i = 0; i < clocks->count; i++)
		if (clocks->clocks[i].id == id)
			return &clocks->clocks[i];
	return NULL;
}

static struct fxt_pf_clocks *clocks_of(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
				       __u32 id)
{
	return is_local(id) ? &s->clocks : &rd->clocks;
}

static __u64 snapshot_value(const Pf__ClockSnapshot *snapshot, __u32 id, bool *has)
{
	size_t i;

	for (i = 0; i < snapshot->n_clocks; i++)
		if (snapshot->clocks[i]->clock_id == id) {
			*has = true;
			return snapshot->clocks[i]->timestamp;
		}
	*has = false;
	return 0;
}

/* The trace's time of a snapshot: by MONOTONIC, else by a clock that was read before. */
static __u64 snapshot_time(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
			   const Pf__ClockSnapshot *snapshot)
{
	bool has;
	__u64 time = snapshot_value(snapshot, FXT_PF_MONOTONIC, &has);
	size_t i;

	if (has)
		return time;
	for (i = 0; i < snapshot->n_clocks; i++) {
		const Pf__ClockSnapshot__Clock *clock = snapshot->clocks[i];
		struct fxt_pf_clock_relation *known = find(clocks_of(rd, s, clock->clock_id),
							   clock->clock_id);

		if (known)
			return clock->timestamp * known->unit + known->offset;
	}
	time = snapshot_value(snapshot, FXT_PF_BOOTTIME, &has);
	if (has || !snapshot->n_clocks)
		return time;
	return snapshot->clocks[0]->timestamp *
	       (snapshot->clocks[0]->unit_multiplier_ns ? snapshot->clocks[0]->unit_multiplier_ns : 1);
}

static void clock_set(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
		      const Pf__ClockSnapshot__Clock *clock, __u64 time)
{
	struct fxt_pf_clocks *clocks = clocks_of(rd, s, clock->clock_id);
	struct fxt_pf_clock_relation *known = find(clocks, clock->clock_id);
	__u64 unit = clock->unit_multiplier_ns ? clock->unit_multiplier_ns : 1;
	__u64 offset = time - clock->timestamp * unit;

	if (!known && clocks->count == FXT_PF_CLOCKS) {
		fxt_skip(rd->c, "clocks beyond 32", 1);
		return;
	}
	if (known && clock->clock_id == FXT_PF_BOOTTIME &&
	    (__u64)(offset - known->offset + JITTER_NS) < 2 * JITTER_NS)
		offset = known->offset;
	if (!known)
		known = &clocks->clocks[clocks->count++];
	known->id = clock->clock_id;
	known->incremental = clock->is_incremental;
	known->unit = unit;
	known->offset = offset;
	known->last = clock->timestamp;
}

/* Puts the reading of the clocks, as recordings have it. */
static int reading_put(struct fxt_pf_reader *rd, const Pf__ClockSnapshot *snapshot, __u64 ns)
{
	static const struct {
		const char *name;
		__u32 id;
	} clocks[] = {
		{ "realtime", FXT_PF_REALTIME },
		{ "monotonic", FXT_PF_MONOTONIC },
		{ "boottime", FXT_PF_BOOTTIME },
	};
	struct fxt_record r;
	size_t i;

	fxt_build_event(&r, FXT_EVENT_INSTANT, ns, 0, 0, fxt_build_string("fxtrec"),
			fxt_build_string("clock"));
	fxt_build_arg_string(&r, fxt_build_string("clock"), fxt_build_string("mono"));
	for (i = 0; i < 3; i++) {
		bool has;
		__u64 value = snapshot_value(snapshot, clocks[i].id, &has);

		if (!has)
			return 0;
		fxt_build_arg_uint(&r, fxt_build_string(clocks[i].name), value);
	}
	return fxt_pf_put(rd, &r, ns, rd->tool);
}

int fxt_pf_snapshot(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
		    const Pf__TracePacket *packet)
{
	const Pf__ClockSnapshot *snapshot = packet->clock_snapshot;
	__u64 time = snapshot_time(rd, s, snapshot);
	size_t i;

	for (i = 0; i < snapshot->n_clocks; i++)
		clock_set(rd, s, snapshot->clocks[i], time);
	rd->timed = true;
	if (packet->has_timestamp)
		time = fxt_pf_ns(rd, s, packet->timestamp_clock_id, packet->timestamp);
	return reading_put(rd, snapshot, time);
}

__u64 fxt_pf_ns(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, __u32 id, __u64 time)
{
	struct fxt_pf_clock_relation *clock;

	if (!id)
		id = s && s->clock ? s->clock : FXT_PF_BOOTTIME;
	if (is_local(id) && !s)
		return time;
	clock = find(clocks_of(rd, s, id), id);
	if (!clock) {
		if (rd->timed)
			fxt_skip(rd->c, "times of unrelated clocks", 1);
		return time;
	}
	if (clock->incremental)
		time = clock->last += time;
	return time * clock->unit + clock->offset;
}
