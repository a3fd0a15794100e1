// SPDX-License-Identifier: GPL-2.0-only
/* Reads FXT: scheduling records of recordings, past the decoder, and where possible left in the input. */
#include "convert/fxt/damage.h"
#include "convert/fxt/read.h"
#include "fxt/sched.h"
#include "model/sched_read.h"

static struct fxt_stream_params stream_params(const struct fxt_file_reader *rd, const struct fxt_file_source *s)
{
	return (struct fxt_stream_params){
		.fd = rd->again,
		.provider = s->provider,
		.cpu = s->cpu,
		.input = fxt_sorter_input(&rd->c->sorter),
		.ticks_per_second = rd->decoder.provider->ticks_per_second,
		.fit = rd->fit,
	};
}

/* Whether a record is read past the decoder, as far as its header and its provider say. */
static inline bool is_brief(const struct fxt_file_reader *rd, struct fxt_file_source *s, const __u8 *record)
{
	if (!s || !s->is_cpu || fxt_field(fxt_frame_word(record), 0, 3) != FXT_RECORD_SCHEDULING)
		return false;
	if (!s->looked)
		s->is_recording = fxt_provider_is_recording(rd->decoder.provider);
	s->looked = true;
	return s->is_recording;
}

/* Whether a record can be left in the input, to be read again in the merge. */
static bool stream_accepts(struct fxt_file_reader *rd, struct fxt_file_source *s, __u64 offset, __u64 ns)
{
	struct fxt_streams *streams = &rd->c->sorter.streams;

	/* Those of another machine are changed. */
	if (rd->again < 0 || rd->c->sorter.host.number)
		return false;
	if (!s->stream) {
		struct fxt_stream_params params = stream_params(rd, s);

		s->stream = fxt_streams_add(streams, &params);
	}
	return s->stream && fxt_stream_accepts(streams, s->stream, offset, ns);
}

bool fxt_file_run_leave(struct fxt_file_reader *rd)
{
	__u64 offset = rd->reader.offset, records = 0, last = 0, ticks, ns;
	struct fxt_file_source *s = rd->source;
	union fxt_sched_view view;
	enum fxt_kind kind;
	bool wakeups = false;
	size_t room, used = 0;
	const __u8 *at = fxt_reader_ahead(&rd->reader, &room);

	if (room < FXT_SCHED_BYTES_MAX || !is_brief(rd, s, at) || s->damages != rd->damages)
		return false;
	while (room - used >= FXT_SCHED_BYTES_MAX) {
		kind = fxt_sched_view_read(at + used, s->cpu, &view, &ticks);
		if (kind == FXT_KIND_UNKNOWN)
			break;
		ns = fxt_file_ns(rd, ticks);
		if (records ? ns < last : !stream_accepts(rd, s, offset, ns))
			break;
		used += 8 * fxt_field(fxt_frame_word(at + used), 4, 15);
		wakeups = wakeups || kind == FXT_KIND_WAKEUP;
		records++;
		last = ns;
	}
	if (!records)
		return false;
	s->last_ns = s->sched_ns = last;
	if (wakeups)
		fxt_sorter_wakeup(&rd->c->sorter);
	fxt_stream_append(&rd->c->sorter.streams, s->stream, offset + used, records, last);
	fxt_reader_pass(&rd->reader, used);
	return true;
}

int fxt_file_brief_put(struct fxt_file_reader *rd, const struct fxt_frame *frame)
{
	struct fxt_file_source *s = rd->source;
	union fxt_sched_view view;
	enum fxt_kind kind;
	__u64 ticks, ns;
	int err;

	if (!is_brief(rd, s, frame->data))
		return 0;
	kind = fxt_sched_view_read(frame->data, s->cpu, &view, &ticks);
	if (kind == FXT_KIND_UNKNOWN)
		return 0;
	ns = fxt_file_ns(rd, ticks);
	err = s->damages == rd->damages ? 0 : fxt_file_damage_tell(rd, s, ns);
	if (err)
		return err;
	s->last_ns = s->sched_ns = ns;
	if (kind == FXT_KIND_WAKEUP)
		fxt_sorter_wakeup(&rd->c->sorter);
	if (stream_accepts(rd, s, frame->offset, s->last_ns)) {
		fxt_stream_append(&rd->c->sorter.streams, s->stream, frame->offset + frame->bytes, 1, s->last_ns);
		return 1;
	}
	err = fxt_sorter_put_view(&rd->c->sorter, kind, &view, s->last_ns, s->index);
	return err ? err : 1;
}

void fxt_file_source_follow(struct fxt_file_reader *rd, struct fxt_file_source *s)
{
	struct fxt_stream_params params = stream_params(rd, s);

	if (s->stream && !fxt_stream_matches(s->stream, &params))
		s->stream = NULL;
	if (rd->r.kind == FXT_KIND_PROVIDER_INFO || rd->r.kind == FXT_KIND_STRING)
		s->looked = false;
	rd->source = s;
}
