// SPDX-License-Identifier: GPL-2.0-only
/* Reads Perfetto's packets, one at a time, in bounded memory. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/perfetto/read.h"
#include "convert/perfetto/read_field.h"

#define ROOM_FIRST	((size_t)256 << 10)
int fxt_pf_bad(struct fxt_pf_reading *g, const char *what)
{
	return fxt_error_set(&g->c->error, EBADMSG, "%s: 0x%08llx: %s", g->in->name, g->offset,
			     what);
}

int fxt_pf_put(struct fxt_pf_reading *g, const struct fxt_record *r, __u64 ns, int provider)
{
	int err = fxt_sorter_put(&g->c->sorter, r, ns, provider);

	g->last_ns = ns;
	if (err == -E2BIG) {
		fxt_note(&g->c->skipped, "records too large to convert", 1);
		err = 0;
	}
	return err;
}

int fxt_pf_cpu_provider(struct fxt_pf_reading *g, __u32 cpu)
{
	char name[32];

	return fxt_sorter_provider(&g->c->sorter, name,
				  snprintf(name, sizeof(name), "fxtrec cpu %u", cpu));
}

static int packet_take(struct fxt_pf_reading *g, struct fxt_pf_sequence *s,
		       const Pf__TracePacket *packet)
{
	bool timed = packet->has_timestamp;
	__u64 ns = g->last_ns;
	int err = 0;

	if (packet->system_info && packet->trusted_packet_sequence_id != FXT_PF_SEQUENCE)
		fxt_note(&g->c->skipped, "packets of system information", 1);
	if (packet->clock_snapshot)
		return fxt_pf_snapshot(g, s, packet);
	if (timed)
		ns = fxt_pf_ns(g, s, packet->timestamp_clock_id, packet->timestamp);
	if (packet->track_descriptor)
		err = fxt_pf_track_take(g, packet->track_descriptor, timed ? &ns : NULL);
	if (!err && packet->process_tree)
		err = fxt_pf_tree(g, packet->process_tree, timed ? &ns : NULL);
	if (!err && packet->process_descriptor && packet->process_descriptor->process_name)
		err = fxt_pf_process_named(g, (__u32)packet->process_descriptor->pid,
					   packet->process_descriptor->process_name, NULL);
	if (!err && packet->ftrace_events)
		err = fxt_pf_bundle(g, packet->ftrace_events);
	if (!err && packet->track_event)
		err = fxt_pf_track_event(g, s, packet, ns);
	return err;
}

static int packets_take(struct fxt_pf_reading *g, const __u8 *bytes, size_t count);

static int packet_read(struct fxt_pf_reading *g, const __u8 *bytes, size_t count, bool inner)
{
	struct fxt_pf_arena *arena = &g->arenas[g->arena];
	struct fxt_pf_sequence *s;
	Pf__TracePacket *packet;
	size_t unpacked;
	int err;

	fxt_pf_arena_reset(arena);
	packet = pf__trace_packet__unpack(&arena->allocator, count, bytes);
	if (!packet)
		return fxt_pf_bad(g, arena->full ? "a packet takes too much memory" :
				  "a packet is malformed");
	fxt_pf_kinds_note(&g->c->skipped, packet);
	if (packet->has_compressed_packets || packet->has_zstd_compressed_packets) {
		if (inner)
			return fxt_pf_bad(g, "compressed packets in compressed packets");
		err = fxt_pf_unpack(g, packet, &unpacked);
		return err ? err : packets_take(g, g->unpacked, unpacked);
	}
	if (packet->sequence_flags & FXT_PF_STATE_CLEARED || packet->incremental_state_cleared) {
		err = fxt_pf_slice_flush(g);
		if (!err && packet->trusted_packet_sequence_id == FXT_PF_SEQUENCE)
			err = fxt_pf_tracks_forget(g);
		if (err)
			return err;
	}
	s = fxt_pf_sequence(g, packet->trusted_packet_sequence_id, &err);
	if (!s)
		return err;
	err = fxt_pf_sequence_take(g, s, packet);
	return err <= 0 ? err : packet_take(g, s, packet);
}

static int lenient(struct fxt_pf_reading *g, int err)
{
	if (err == -E2BIG)
		return fxt_pf_bad(g, "names, tracks and interned texts of more than 32 MiB");
	if (err != -EBADMSG || !g->c->lenient)
		return err;
	g->c->error.text[0] = 0;
	fxt_note(&g->c->skipped, "malformed packets", 1);
	return 0;
}

static int packets_take(struct fxt_pf_reading *g, const __u8 *bytes, size_t count)
{
	__u64 tag, length;
	int err = 0;

	while (count && !err) {
		int head = fxt_pf_field(bytes, count, &tag, &length);

		if (head < 0 || length > count - head)
			return fxt_pf_bad(g, "compressed packets are malformed");
		if (tag == FXT_PF_PACKET_TAG)
			err = lenient(g, packet_read(g, bytes + head, length, true));
		bytes += head + length;
		count -= head + length;
	}
	return err;
}

/* Has that many bytes stand in the window; 1; 0 at the file's end; -errno. */
static int window_fill(struct fxt_pf_reading *g, size_t need)
{
	while (g->have - g->at < need) {
		ssize_t got;

		if (g->at) {
			memmove(g->bytes, g->bytes + g->at, g->have - g->at);
			g->have -= g->at;
			g->at = 0;
		}
		if (g->have == g->room) {
			size_t room = g->room ? 2 * g->room : ROOM_FIRST;
			__u8 *bytes = realloc(g->bytes, room);

			if (!bytes)
				return -ENOMEM;
			g->bytes = bytes;
			g->room = room;
		}
		got = fxt_in_read(g->in, g->bytes + g->have, g->room - g->have);
		if (got <= 0)
			return got;
		g->have += got;
	}
	return 1;
}

/* A packet of the file is cut, or what follows can't be told. */
static int broken(struct fxt_pf_reading *g, const char *what)
{
	if (!g->c->lenient)
		return fxt_pf_bad(g, what);
	fxt_note(&g->c->skipped, "ends of files that are cut or malformed", 1);
	return 0;
}

static int failed(struct fxt_pf_reading *g, int err)
{
	if (g->c->error.text[0])
		return err;
	return fxt_error_set(&g->c->error, -err, "%s: %s", g->in->name, strerror(-err));
}

/* 1 while there is more. */
static int next(struct fxt_pf_reading *g)
{
	__u64 tag, length;
	int head, got;

	got = window_fill(g, FXT_PF_FIELD_BYTES);
	if (got < 0)
		return failed(g, got);
	if (g->at == g->have)
		return 0;
	head = fxt_pf_field(g->bytes + g->at, g->have - g->at, &tag, &length);
	if (head < 0)
		return broken(g, head == -EAGAIN ? "cut: the last whole packet ends here" :
			      "not a field of a trace");
	if (length > FXT_PF_PACKET_MAX)
		return broken(g, "a packet of more than 16 MiB");
	got = window_fill(g, head + length);
	if (got < 0)
		return failed(g, got);
	if (!got)
		return broken(g, "cut: the last whole packet ends here");
	if (tag == FXT_PF_PACKET_TAG)
		got = lenient(g, packet_read(g, g->bytes + g->at + head, length, false));
	else
		fxt_note(&g->c->skipped, "fields of the trace that are no packets", 1);
	g->at += head + length;
	g->offset += head + length;
	return got < 0 ? failed(g, got) : 1;
}

static int perfetto_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_pf_reading *g = calloc(1, sizeof(*g));
	int err;

	if (!g)
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	g->c = c;
	g->in = in;
	fxt_pf_arena_init(&g->arenas[0]);
	fxt_pf_arena_init(&g->arenas[1]);
	g->tool = err = fxt_sorter_provider(&c->sorter, "fxtrec", 6);
	while (err >= 0 && (err = next(g)) > 0)
		;
	if (!err)
		err = fxt_pf_slice_flush(g);
	if (!err)
		err = fxt_pf_names_put(g);
	if (err)
		err = failed(g, err);
	fxt_pf_sequences_free(g);
	fxt_pf_tracks_free(g);
	fxt_pf_cpus_free(g);
	fxt_pf_reading_names_free(g);
	fxt_pf_arena_uninit(&g->arenas[0]);
	fxt_pf_arena_uninit(&g->arenas[1]);
	free(g->bytes);
	free(g->unpacked);
	free(g);
	return err;
}

const struct fxt_format_ops fxt_format_ops_perfetto = {
	.is = fxt_pf_is,
	.read = perfetto_read,
	.writer = &fxt_writer_perfetto,
};
