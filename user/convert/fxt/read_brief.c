// SPDX-License-Identifier: GPL-2.0-only
/* The way of scheduling records of recordings of ours past the decoder: there are so many. */
#include "convert/fxt/read.h"
#include "model/sched_brief.h"

static struct fxt_stream_of stream_of(const struct fxt_reading *g, const struct fxt_stream *s)
{
	return (struct fxt_stream_of){
		.fd = g->again,
		.provider = s->provider,
		.cpu = s->cpu,
		.ticks_per_second = g->decoder.provider->ticks_per_second,
		.offset = g->offset,
	};
}

/* Leaves a record where it is, to be read again in its turn; false where it has to be kept. */
static bool leave(struct fxt_reading *g, struct fxt_stream *s, const struct fxt_frame *frame)
{
	struct fxt_streams *streams = &g->c->sorter.streams;

	if (g->again < 0)
		return false;
	if (!s->stream) {
		struct fxt_stream_of of = stream_of(g, s);

		s->stream = fxt_streams_add(streams, &of);
	}
	return s->stream && fxt_stream_note(streams, s->stream, frame, s->last_ns);
}

int fxt_brief_take(struct fxt_reading *g, const struct fxt_frame *frame)
{
	__u64 header = fxt_frame_word(frame->data), ticks;
	bool is_switch = header >> 60 == FXT_SCHEDULING_CONTEXT_SWITCH;
	struct fxt_stream *s = g->stream;
	union {
		struct fxt_switch_view change;
		struct fxt_wakeup_view wakeup;
	} view;
	int err;

	if (fxt_field(header, 0, 3) != FXT_RECORD_SCHEDULING || !s || !s->is_cpu ||
	    (!is_switch && header >> 60 != FXT_SCHEDULING_WAKEUP))
		return 0;
	if (!s->looked)
		s->conventional = fxt_sched_conventional(g->decoder.provider);
	s->looked = true;
	if (!s->conventional ||
	    !(is_switch ? fxt_sched_switch_read(frame, &view.change, &ticks) :
			  fxt_sched_wakeup_read(frame, &view.wakeup, &ticks)))
		return 0;
	s->last_ns = fxt_reading_ns(g, ticks);
	if (leave(g, s, frame))
		return 1;
	if (is_switch) {
		err = fxt_sorter_put_view(&g->c->sorter, FXT_KIND_CONTEXT_SWITCH, &view.change,
					 sizeof(view.change), s->last_ns, s->index);
	} else {
		view.wakeup.cpu = s->cpu;
		err = fxt_sorter_put_view(&g->c->sorter, FXT_KIND_WAKEUP, &view.wakeup,
					 sizeof(view.wakeup), s->last_ns, s->index);
	}
	return err ? err : 1;
}

void fxt_stream_follow(struct fxt_reading *g, struct fxt_stream *s)
{
	struct fxt_stream_of of = stream_of(g, s);

	if (s->stream && !fxt_stream_is(s->stream, &of))
		s->stream = NULL;
	switch (g->r.kind) {
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_STRING:
		s->looked = false;
		break;
	default:
		break;
	}
	g->stream = s;
}
