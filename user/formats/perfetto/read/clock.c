// SPDX-License-Identifier: GPL-2.0-only
/* Converts times of any clock to CLOCK_MONOTONIC, by clock snapshots. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"

/* MONOTONIC and BOOTTIME have the same rate: their difference changes less between readings, except for a suspend. */
#define JITTER_NS	1000000ull

/* Two readings of a client that are farther apart belong to different round trips. */
#define ROUND_NS	30000000000ull

/* Returns whether a clock belongs to one sequence. */
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

/*
 * Returns the trace's time: by the last snapshot at or before the clock's time, or the first snapshot; a sequence's own
 * snapshots come in order.
 */
static __u64 relation_time(struct fxt_pf_reader *rd, const struct fxt_pf_clock_relation *clock, __u64 time)
{
	__u64 ns = time * clock->unit;

	if (clock->incremental || is_local(clock->id))
		return ns + clock->offset;
	return ns + fxt_pf_offset_at(&rd->offsets[clock - rd->clocks.clocks], ns);
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

/* Returns the trace's time of a snapshot: by MONOTONIC, else by a clock that was read before. */
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
			return relation_time(rd, known, clock->timestamp);
	}
	time = snapshot_value(snapshot, FXT_PF_BOOTTIME, &has);
	if (has || !snapshot->n_clocks)
		return time;
	return snapshot->clocks[0]->timestamp *
	       (snapshot->clocks[0]->unit_multiplier_ns ? snapshot->clocks[0]->unit_multiplier_ns : 1);
}

static int clock_set(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
		      const Pf__ClockSnapshot__Clock *clock, __u64 time)
{
	struct fxt_pf_clocks *clocks = clocks_of(rd, s, clock->clock_id);
	struct fxt_pf_clock_relation *known = find(clocks, clock->clock_id);
	__u64 unit = clock->unit_multiplier_ns ? clock->unit_multiplier_ns : 1;
	__u64 offset = time - clock->timestamp * unit;
	int err;

	if (!known && clocks->count == FXT_PF_CLOCKS) {
		fxt_skip(rd->c, "clocks beyond 32", 1);
		return 0;
	}
	if (!known)
		known = &clocks->clocks[clocks->count];
	err = is_local(clock->clock_id) ? 0 :
	      fxt_pf_offset_add(rd, &rd->offsets[known - clocks->clocks], clock->timestamp * unit, offset,
			 clock->clock_id == FXT_PF_BOOTTIME ? JITTER_NS : 0);
	if (err)
		return err;
	clocks->count += known == &clocks->clocks[clocks->count];
	known->id = clock->clock_id;
	known->incremental = clock->is_incremental;
	known->unit = unit;
	known->offset = offset;
	known->last = clock->timestamp;
	return 0;
}

/* Puts the reading of the clocks, as in recordings. */
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
	return fxt_pf_put(rd, &r, ns, rd->feed.provider);
}

/* Relates the snapshot's clocks to the trace's time; *time is the snapshot's. */
static int clocks_set(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__ClockSnapshot *snapshot,
		      __u64 *time)
{
	int err = 0;
	size_t i;

	*time = snapshot_time(rd, s, snapshot);
	for (i = 0; i < snapshot->n_clocks && !err; i++)
		err = clock_set(rd, s, snapshot->clocks[i], *time);
	rd->timed = true;
	return err;
}

static void others_note(struct fxt_pf_reader *rd, const Pf__ClockSnapshot *snapshot)
{
	size_t i, others = 0;

	for (i = 0; i < snapshot->n_clocks; i++) {
		__u32 id = snapshot->clocks[i]->clock_id;

		others += id != FXT_PF_REALTIME && id != FXT_PF_MONOTONIC && id != FXT_PF_BOOTTIME;
	}
	if (others)
		fxt_skip(rd->c, "readings of clocks other than real time, monotonic and boot time", others);
}

int fxt_pf_snapshot(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
		    const Pf__TracePacket *packet)
{
	const Pf__ClockSnapshot *snapshot = packet->clock_snapshot;
	__u64 time;
	int err = clocks_set(rd, s, snapshot, &time);

	if (err)
		return err;
	others_note(rd, snapshot);
	if (packet->has_timestamp)
		time = fxt_pf_ns(rd, s, packet->timestamp_clock_id, packet->timestamp);
	return reading_put(rd, snapshot, time);
}

/* Returns BOOTTIME - MONOTONIC; 0 where either wasn't read. */
static __u64 ahead(const Pf__ClockSnapshot *snapshot)
{
	bool has[2];
	__u64 boot = snapshot_value(snapshot, FXT_PF_BOOTTIME, &has[0]);
	__u64 mono = snapshot_value(snapshot, FXT_PF_MONOTONIC, &has[1]);

	return has[0] && has[1] ? boot - mono : 0;
}

/* Readings of one clock, in the order of time: client, host, client, host. */
struct round_trip {
	__u64 client, host, client_again, host_again;
};

static bool round_trip_read(struct round_trip *trip, const Pf__RemoteClockSync__SyncedClocks *first,
			    const Pf__RemoteClockSync__SyncedClocks *second)
{
	bool has[4];

	if (!first->client_clocks || !first->host_clocks || !second->client_clocks || !second->host_clocks)
		return false;
	trip->client = snapshot_value(first->client_clocks, FXT_PF_BOOTTIME, &has[0]);
	trip->host = snapshot_value(first->host_clocks, FXT_PF_BOOTTIME, &has[1]);
	trip->client_again = snapshot_value(second->client_clocks, FXT_PF_BOOTTIME, &has[2]);
	trip->host_again = snapshot_value(second->host_clocks, FXT_PF_BOOTTIME, &has[3]);
	return has[0] && has[1] && has[2] && has[3] && trip->client_again - trip->client < ROUND_NS;
}

/* Returns the time that the client is ahead: the mean of the two estimates of a round trip. */
static __u64 round_trip_offset(const struct round_trip *t)
{
	__u64 there = t->client + (__s64)(t->client_again - t->client) / 2 - t->host;
	__u64 back = t->client_again - t->host - (__s64)(t->host_again - t->host) / 2;

	return back + (__s64)(there - back) / 2;
}

int fxt_pf_clock_sync(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__RemoteClockSync *sync)
{
	const Pf__ClockSnapshot *client = sync->n_synced_clocks ? sync->synced_clocks[0]->client_clocks : NULL;
	struct round_trip trip;
	__u64 time;
	size_t i;
	int err;

	if (!client || !rd->host.number)
		return 0;
	for (i = 1; i < sync->n_synced_clocks; i++)
		if (round_trip_read(&trip, sync->synced_clocks[i - 1], sync->synced_clocks[i])) {
			rd->host.shift = rd->shift + ahead(client) - ahead(sync->synced_clocks[i]->host_clocks) -
					 round_trip_offset(&trip);
			break;
		}
	rd->c->reading.host = rd->host;
	err = clocks_set(rd, s, client, &time);
	if (!err)
		err = reading_put(rd, client, time);
	for (i = 1; i < sync->n_synced_clocks && !err; i++)
		if (sync->synced_clocks[i]->client_clocks)
			err = clocks_set(rd, s, sync->synced_clocks[i]->client_clocks, &time);
	return err;
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
	return relation_time(rd, clock, time);
}
