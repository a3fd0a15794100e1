// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the slices that are open on each track, so that flows can bind to them; and lanes: additional tracks of a
 * thread for slices that start within another slice and end after it, which Perfetto can't show on one track.
 */
#include <errno.h>

#include "formats/perfetto/write/track.h"

/* Most tracks with open slices; on further tracks, slices count as nested, and flows as outside of slices. */
#define OPEN_MAX	(16u << 10)

#define DEPTH_MAX	24u
#define LANES_MAX	64u

/* An end that isn't known yet. */
#define PENDING		UINT64_MAX

struct open_slices {
	__u32 depth;
	__u32 deeper;		/* starts beyond DEPTH_MAX that have not ended */
	__u64 ends[DEPTH_MAX];	/* ends of the open slices, the innermost last; PENDING: not known */
};

static struct open_slices *open_new(struct fxt_pf_file *f, __u64 uuid)
{
	struct open_slices *open = fxt_map_get(&f->open, uuid);

	return open || f->open.count >= OPEN_MAX ? open : fxt_map_new(&f->open, uuid, sizeof(*open));
}

static void ended_drop(struct open_slices *open, __u64 ns)
{
	while (open->depth && open->ends[open->depth - 1] <= ns)
		open->depth--;
}

/* Drops the innermost started slice, with complete slices above it. */
static void begin_drop(struct open_slices *open)
{
	__u32 i = open->depth;

	if (open->deeper) {
		open->deeper--;
		return;
	}
	while (i && open->ends[i - 1] != PENDING)
		i--;
	if (i)
		open->depth = i - 1;
}

void fxt_pf_open_slice(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid)
{
	bool ends = r->event.type == FXT_EVENT_DURATION_END;
	bool begins = r->event.type == FXT_EVENT_DURATION_BEGIN;
	struct open_slices *open;

	if (!begins && !ends && r->event.end <= r->ticks) {
		fxt_pf_open_instant(f, r->ticks, uuid);
		return;
	}
	open = ends ? fxt_map_get(&f->open, uuid) : open_new(f, uuid);
	if (!open)
		return;
	if (ends) {
		begin_drop(open);
		return;
	}
	ended_drop(open, r->ticks);
	if (open->depth < DEPTH_MAX)
		open->ends[open->depth++] = begins ? PENDING : r->event.end;
	else if (begins)
		open->deeper++;
}

/* Notes an instant; flows come after the instants of the same time, so earlier instants don't matter. */
void fxt_pf_open_instant(struct fxt_pf_file *f, __u64 ns, __u64 uuid)
{
	struct fxt_pf_instants *last = &f->instants;

	if (last->ns != ns)
		last->count = 0;
	last->ns = ns;
	last->track[last->count++ % FXT_PF_INSTANTS] = uuid;
}

static bool instant_is_on(const struct fxt_pf_file *f, __u64 uuid, __u64 ns)
{
	const struct fxt_pf_instants *last = &f->instants;
	size_t i;

	for (i = 0; last->ns == ns && i < last->count && i < FXT_PF_INSTANTS; i++)
		if (last->track[i] == uuid)
			return true;
	return false;
}

bool fxt_pf_open_within(const struct fxt_pf_file *f, __u64 uuid, __u64 ns)
{
	const struct open_slices *open = fxt_map_get(&f->open, uuid);
	__u32 i;

	for (i = open ? open->depth : 0; i; i--)
		if (open->ends[i - 1] > ns)
			return true;
	return instant_is_on(f, uuid, ns);
}

/* Returns whether a complete slice starts within another slice and ends after it. */
static bool crosses(const struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid)
{
	struct open_slices *open = fxt_map_get(&f->open, uuid);

	if (!open)
		return false;
	ended_drop(open, r->ticks);
	return open->depth && open->ends[open->depth - 1] < r->event.end;
}

static int lane_track(struct fxt_pf_file *f, __u64 thread, __u32 number, __u64 *uuid)
{
	Pf__TrackDescriptor track = PF__TRACK_DESCRIPTOR__INIT;
	int known;

	*uuid = fxt_pf_mix(fxt_pf_mix(FXT_PF_OF_LANE, thread), number);
	known = fxt_pf_track_seen(f, *uuid);
	if (known)
		return known < 0 ? known : 0;
	track.has_parent_uuid = true;
	track.parent_uuid = thread;
	track.name = track.description = (char *)FXT_PF_LANE;
	return fxt_pf_track_put(f, &track, *uuid);
}

int fxt_pf_track_lane(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid)
{
	__u64 thread;
	__u32 i;
	int err = fxt_pf_track_thread(f, r, &thread);

	*uuid = thread;
	for (i = 0; !err && i < LANES_MAX && crosses(f, r, *uuid); i++)
		err = lane_track(f, thread, i, uuid);
	return err;
}
