// SPDX-License-Identifier: GPL-2.0-only
/* Reads Perfetto's packets, one at a time, in bounded memory. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"

#define ROOM_FIRST	((size_t)256 << 10)

int fxt_pf_bad(struct fxt_pf_reader *rd, const char *what)
{
	rd->flaw = what;
	return fxt_flaw_error(rd->c, EBADMSG, "%s", what);
}

int fxt_pf_put(struct fxt_pf_reader *rd, struct fxt_record *r, __u64 ns, int provider)
{
	int err = r->timed ? fxt_pf_host_put(rd, ns) : 0;

	if (!err)
		err = fxt_reading_put(&rd->c->reading, r, ns, provider);
	rd->feed.last_ns = ns;
	if (err == -E2BIG) {
		fxt_skip(rd->c, "records too large to convert", 1);
		err = 0;
	}
	return err;
}

static int packet_apply(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
			const Pf__TracePacket *packet)
{
	bool timed = packet->has_timestamp;
	__u64 ns = rd->feed.last_ns;
	int err = 0;

	if (packet->system_info)
		err = fxt_pf_host_read(rd, packet->system_info);
	if (err)
		return err;
	if (packet->remote_clock_sync)
		return fxt_pf_clock_sync(rd, s, packet->remote_clock_sync);
	if (packet->clock_snapshot)
		return fxt_pf_snapshot(rd, s, packet);
	if (timed)
		ns = fxt_pf_ns(rd, s, packet->timestamp_clock_id, packet->timestamp);
	/* The waiting slice may need the track's old name. */
	if (packet->track_descriptor)
		err = fxt_pf_slice_flush(rd);
	if (!err && packet->track_descriptor)
		err = fxt_pf_track_describe(rd, packet->track_descriptor, timed ? &ns : NULL);
	if (!err && packet->process_tree)
		err = fxt_pf_tree(rd, packet->process_tree, timed ? &ns : NULL);
	if (!err && packet->process_descriptor && packet->process_descriptor->process_name)
		err = fxt_pf_process_named(rd, (__u32)packet->process_descriptor->pid,
					   packet->process_descriptor->process_name, NULL);
	if (!err && packet->ftrace_events)
		err = fxt_pf_bundle(rd, s, packet->ftrace_events,
				    packet->trusted_packet_sequence_id == FXT_PF_SEQUENCE);
	if (!err && packet->track_event)
		err = fxt_pf_track_event(rd, s, packet, ns);
	if (!err)
		err = fxt_pf_statistics(rd, packet, ns);
	if (!err)
		err = fxt_pf_logs(rd, s, packet, ns);
	return err;
}

static int packets_read(struct fxt_pf_reader *rd, const __u8 *bytes, size_t count);

static int packet_read(struct fxt_pf_reader *rd, const __u8 *bytes, size_t count, bool inner)
{
	struct fxt_pf_arena *arena = &rd->arenas[rd->arena];
	struct fxt_pf_sequence *s;
	Pf__TracePacket *packet;
	size_t unpacked;
	int err;

	fxt_pf_arena_reset(arena, count);
	packet = pf__trace_packet__unpack(&arena->allocator, count, bytes);
	if (!packet)
		return fxt_pf_bad(rd, arena->full ? "a packet takes too much memory" :
				  "a packet is malformed");
	fxt_pf_kinds_note(rd->c, packet);
	if (packet->has_compressed_packets || packet->has_zstd_compressed_packets) {
		if (inner)
			return fxt_pf_bad(rd, "compressed packets in compressed packets");
		err = fxt_pf_unpack(rd, packet, &unpacked);
		return err ? err : packets_read(rd, rd->unpacked, unpacked);
	}
	if (packet->sequence_flags & FXT_PF_STATE_CLEARED || packet->incremental_state_cleared) {
		err = fxt_pf_slice_flush(rd);
		if (err)
			return err;
		if (packet->trusted_packet_sequence_id == FXT_PF_SEQUENCE)
			fxt_pf_tracks_forget(rd);
	}
	s = fxt_pf_sequence(rd, packet->trusted_packet_sequence_id, &err);
	if (!s)
		return err;
	err = fxt_pf_sequence_update(rd, s, packet);
	return err <= 0 ? err : packet_apply(rd, s, packet);
}

static int packet_of_machine(struct fxt_pf_reader *rd, const __u8 *bytes, size_t count, bool inner)
{
	struct fxt_pf_reader *of;
	int err;

	of = fxt_pf_machine_reader(rd, bytes, count, &err);
	if (!of)
		return err;
	err = packet_read(of, bytes, count, inner);
	rd->flaw = of->flaw;
	/* A machine's reader has memory of its own, but keeps only a small part. */
	if (of != rd)
		fxt_pf_arena_reset(&of->arenas[of->arena], 0);
	return err;
}

static int lenient(struct fxt_pf_reader *rd, int err)
{
	if (err == -E2BIG)
		return fxt_pf_bad(rd, "tracks and interned texts of more than 24 MiB");
	if (err != -EBADMSG || rd->c->strict)
		return err;
	rd->c->error.text[0] = 0;
	return fxt_flaw(rd->c, &(struct fxt_flaw){ rd->flaw, "malformed packets", NULL });
}

static int packets_read(struct fxt_pf_reader *rd, const __u8 *bytes, size_t count)
{
	__u64 tag, length;
	int err = 0;

	while (count && !err) {
		int head = fxt_pf_field(bytes, count, &tag, &length);

		if (head < 0 || length > count - head)
			return fxt_pf_bad(rd, "compressed packets are malformed");
		if (tag == FXT_PF_PACKET_TAG)
			err = lenient(rd, packet_of_machine(rd, bytes + head, length, true));
		bytes += head + length;
		count -= head + length;
	}
	return err;
}

/* Fills the window up to need bytes.  1; 0 at the file's end; -errno. */
static int window_fill(struct fxt_pf_reader *rd, size_t need)
{
	while (rd->have - rd->at < need) {
		ssize_t got;

		if (rd->at) {
			memmove(rd->bytes, rd->bytes + rd->at, rd->have - rd->at);
			rd->have -= rd->at;
			rd->at = 0;
		}
		if (rd->have == rd->room) {
			size_t room = need < ROOM_FIRST ? ROOM_FIRST : need;
			__u8 *bytes;
			int err = room > FXT_PF_ROOM_LARGE ? fxt_sorter_yield(rd->c->reading.sorter) : 0;

			if (err)
				return err;
			bytes = realloc(rd->bytes, room);
			if (!bytes)
				return -ENOMEM;
			rd->bytes = bytes;
			rd->room = room;
		}
		got = fxt_in_read(rd->in, rd->bytes + rd->have, rd->room - rd->have);
		if (got <= 0)
			return got;
		rd->have += got;
	}
	return 1;
}

/* Reports that a packet is cut, or the next one can't be found. */
static int broken(struct fxt_pf_reader *rd, const char *what)
{
	return fxt_flaw(rd->c, &(struct fxt_flaw){ what, "ends of files that are cut or malformed",
						   "a TracePacket, field 1 of the trace" });
}

static int failed(struct fxt_pf_reader *rd, int err)
{
	if (rd->c->error.text[0])
		return err;
	return fxt_error_set(&rd->c->error, -err, "%s: %s", rd->in->name, strerror(-err));
}

/* Reads the next packet; 1 while there is more. */
static int next(struct fxt_pf_reader *rd)
{
	__u64 tag, length;
	int head, got;

	rd->c->place.at = rd->offset;
	got = window_fill(rd, FXT_PF_FIELD_BYTES);
	if (got < 0)
		return failed(rd, got);
	if (rd->at == rd->have)
		return 0;
	head = fxt_pf_field(rd->bytes + rd->at, rd->have - rd->at, &tag, &length);
	if (head < 0)
		return broken(rd, head == -EAGAIN ? "cut: the last whole packet ends here" :
			      "not a field of a trace");
	if (length > FXT_PF_PACKET_MAX)
		return broken(rd, "a packet of more than 16 MiB");
	got = window_fill(rd, head + length);
	if (got < 0)
		return failed(rd, got);
	if (!got)
		return broken(rd, "cut: the last whole packet ends here");
	if (tag == FXT_PF_PACKET_TAG)
		got = lenient(rd, packet_of_machine(rd, rd->bytes + rd->at + head, length, false));
	else
		fxt_skip(rd->c, "fields of the trace that are not packets", 1);
	rd->at += head + length;
	rd->offset += head + length;
	return got < 0 ? failed(rd, got) : 1;
}

int fxt_pf_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_pf_reader *rd = fxt_pf_reader_new(c, in);
	int err;

	if (!rd)
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	err = rd->feed.provider;
	while (err >= 0 && (err = next(rd)) > 0)
		;
	if (!err)
		err = fxt_pf_reader_end(rd);
	if (err)
		err = failed(rd, err);
	fxt_pf_reader_free(rd);
	return err;
}
