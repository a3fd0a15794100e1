// SPDX-License-Identifier: GPL-2.0-only
/* Reads FXT: scheduling records of recordings, without the decoder, and where possible left in the input. */
#include <errno.h>

#include "formats/fxt/damage.h"
#include "formats/fxt/read.h"
#include "fxt/sched.h"
#include "model/sched_read.h"
#include "stream/reread.h"

static struct fxt_stream_params stream_params(const struct fxt_file_reader *rd, const struct fxt_file_source *s)
{
	return (struct fxt_stream_params){
		.fd = rd->again,
		.provider = s->provider,
		.cpu = s->cpu,
		.moves = s->moves,
		.process = s->process,
		.input = fxt_reading_number(&rd->c->reading),
		.machine = fxt_host_decode_cpu(s->cpu),
		.ticks_per_second = rd->decoder.provider->ticks_per_second,
		.fit = rd->fit,
	};
}

/* Drops a stream that was read with other parameters. */
static void stream_follow(const struct fxt_file_reader *rd, struct fxt_file_source *s)
{
	struct fxt_stream_params params = stream_params(rd, s);

	if (s->stream && !fxt_stream_matches(s->stream, &params))
		s->stream = NULL;
}

static void look(const struct fxt_file_reader *rd, struct fxt_file_source *s)
{
	const struct fxt_provider *p = rd->decoder.provider;

	s->is_recording = fxt_provider_is_recording(p);
	s->moves = s->is_recording && fxt_provider_moves(p, s->cpu, &s->process);
	s->looked = true;
	stream_follow(rd, s);
}

/* Returns whether a record is read without the decoder, by its header and its provider. */
static inline bool is_brief(const struct fxt_file_reader *rd, struct fxt_file_source *s, const __u8 *record)
{
	__u64 header = fxt_frame_word(record);
	bool sched = fxt_field(header, 0, 3) == FXT_RECORD_SCHEDULING;

	if (!s || !s->is_cpu || (!sched && header != fxt_brief_migrate()))
		return false;
	if (!s->looked)
		look(rd, s);
	return sched ? s->is_recording : s->moves;
}

/* Returns whether a record can be left in the input, to be read again in the merge. */
static bool stream_accepts(struct fxt_file_reader *rd, struct fxt_file_source *s, __u64 offset, __u64 ns)
{
	struct fxt_streams *streams = fxt_sorter_streams(rd->c->reading.sorter);

	/* Records of another machine are changed. */
	if (rd->again < 0 || rd->c->reading.host.number)
		return false;
	if (!s->stream) {
		struct fxt_stream_params params = stream_params(rd, s);

		s->stream = fxt_streams_add(streams, &params);
	}
	return s->stream && fxt_stream_accepts(streams, s->stream, offset, ns);
}

/* Adds the time of a record that is left in the input. */
static inline void span_add(struct fxt_time_span *span, enum fxt_kind kind, __u64 ns)
{
	fxt_times_add(kind == FXT_KIND_EVENT ? &span->others : &span->scheduled, ns);
}

/* Leaves a number of records in the input, up to an offset.  1 or -ENOMEM. */
static int leave(struct fxt_file_reader *rd, struct fxt_file_source *s, __u64 end, __u64 records, __u64 last,
		 const struct fxt_time_span *span, bool wakeups)
{
	s->last_ns = last;
	if (span->scheduled.known)
		s->sched_ns = span->scheduled.last;
	fxt_stream_append(fxt_sorter_streams(rd->c->reading.sorter), s->stream, end, records, last);
	return fxt_reading_leave(&rd->c->reading, s->cpu, span, wakeups) ? -ENOMEM : 1;
}

int fxt_file_run_leave(struct fxt_file_reader *rd)
{
	__u64 offset = rd->reader.offset, records = 0, last = 0, ticks, ns;
	struct fxt_file_source *s = rd->source;
	struct fxt_time_span span = { 0 };
	union fxt_sched_view view;
	enum fxt_kind kind;
	bool wakeups = false;
	size_t room, used = 0;
	const __u8 *at = fxt_reader_ahead(&rd->reader, &room);

	if (room < FXT_SCHED_BYTES_MAX || !is_brief(rd, s, at) || s->damages != rd->damages)
		return 0;
	while (room - used >= FXT_SCHED_BYTES_MAX) {
		kind = fxt_stream_view_read(at + used, s->cpu, s->moves, &view, &ticks);
		if (kind == FXT_KIND_UNKNOWN)
			break;
		ns = fxt_file_ns(rd, ticks);
		if (records ? ns < last : !stream_accepts(rd, s, offset, ns))
			break;
		used += 8 * fxt_field(fxt_frame_word(at + used), 4, 15);
		wakeups = wakeups || kind == FXT_KIND_WAKEUP;
		span_add(&span, kind, ns);
		records++;
		last = ns;
	}
	if (!records)
		return 0;
	fxt_reader_pass(&rd->reader, used);
	return leave(rd, s, offset + used, records, last, &span, wakeups);
}

int fxt_file_brief_put(struct fxt_file_reader *rd, const struct fxt_frame *frame)
{
	struct fxt_file_source *s = rd->source;
	struct fxt_time_span span = { 0 };
	union fxt_sched_view view;
	enum fxt_kind kind;
	__u64 ticks, ns;
	int err;

	if (!is_brief(rd, s, frame->data))
		return 0;
	kind = fxt_stream_view_read(frame->data, s->cpu, s->moves, &view, &ticks);
	/* Only switches and wakeups show whether events are missing after damage. */
	if (kind == FXT_KIND_UNKNOWN || (kind == FXT_KIND_EVENT && s->damages != rd->damages))
		return 0;
	ns = fxt_file_ns(rd, ticks);
	err = s->damages == rd->damages ? 0 : fxt_file_damage_tell(rd, s, ns);
	if (err)
		return err;
	if (stream_accepts(rd, s, frame->offset, ns)) {
		span_add(&span, kind, ns);
		return leave(rd, s, frame->offset + frame->bytes, 1, ns, &span, kind == FXT_KIND_WAKEUP);
	}
	/* A migration that isn't left in the input is read as an event. */
	if (kind == FXT_KIND_EVENT)
		return 0;
	s->last_ns = s->sched_ns = ns;
	err = fxt_reading_put_view(&rd->c->reading, kind, &view, ns, s->index);
	return err ? err : 1;
}

void fxt_file_source_follow(struct fxt_file_reader *rd, struct fxt_file_source *s)
{
	if (rd->r.kind == FXT_KIND_PROVIDER_INFO || rd->r.kind == FXT_KIND_STRING ||
	    (rd->r.kind == FXT_KIND_THREAD && rd->r.index == FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS)))
		s->looked = false;
	stream_follow(rd, s);
	rd->source = s;
}
