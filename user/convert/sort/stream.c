// SPDX-License-Identifier: GPL-2.0-only
/* Streams: scheduling records of one CPU that lie in time order in the input. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/sort/stream.h"
#include "fxt/sched.h"

#define LANES_MAX	4096u
#define EXTENTS_MAX	((size_t)1 << 20)

/* All windows together; each gets an equal part, within bounds. */
#define WINDOWS_BYTES	((size_t)16 << 20)
#define WINDOW_MIN	((size_t)4 << 10)
#define WINDOW_MAX	((size_t)128 << 10)

struct extent {
	__u64 begin, end;	/* in the input */
};

struct fxt_stream {
	struct fxt_stream_of of;
	__u64 last_ns;
	struct extent *extents;
	size_t count;
	size_t room;
	/* The cursor. */
	size_t extent;
	__u64 at;		/* in the input: the next record's */
	/* What was read of the input. */
	__u8 *window;
	size_t window_room;
	__u64 window_begin, window_end;
	enum fxt_kind kind;
	union {
		struct fxt_switch_view change;
		struct fxt_wakeup_view wakeup;
	};
};

void fxt_streams_uninit(struct fxt_streams *streams)
{
	size_t i;

	for (i = 0; i < streams->count; i++) {
		free(streams->stream[i]->extents);
		free(streams->stream[i]->window);
		free(streams->stream[i]);
	}
	free(streams->stream);
	for (i = 0; i < streams->fd_count; i++)
		close(streams->fds[i]);
	free(streams->fds);
}

int fxt_streams_input(struct fxt_streams *streams, int fd)
{
	int *fds = realloc(streams->fds, (streams->fd_count + 1) * sizeof(*fds));
	int own;

	if (!fds)
		return -ENOMEM;
	streams->fds = fds;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return -errno;
	fds[streams->fd_count++] = own;
	return own;
}

struct fxt_stream *fxt_streams_add(struct fxt_streams *streams, const struct fxt_stream_of *of)
{
	struct fxt_stream **all, *stream;

	if (streams->count == LANES_MAX)
		return NULL;
	all = realloc(streams->stream, (streams->count + 1) * sizeof(*all));
	if (!all)
		return NULL;
	streams->stream = all;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return NULL;
	stream->of = *of;
	streams->stream[streams->count++] = stream;
	return stream;
}

bool fxt_stream_is(const struct fxt_stream *stream, const struct fxt_stream_of *of)
{
	return stream->of.fd == of->fd && stream->of.provider == of->provider &&
	       stream->of.cpu == of->cpu && stream->of.ticks_per_second == of->ticks_per_second &&
	       stream->of.offset == of->offset;
}

static bool extent_begin(struct fxt_streams *streams, struct fxt_stream *stream, __u64 begin)
{
	if (streams->extent_count == EXTENTS_MAX)
		return false;
	if (stream->count == stream->room) {
		size_t room = stream->room ? 2 * stream->room : 16;
		struct extent *extents = realloc(stream->extents, room * sizeof(*extents));

		if (!extents)
			return false;
		stream->extents = extents;
		stream->room = room;
	}
	stream->extents[stream->count++] = (struct extent){ begin, begin };
	streams->extent_count++;
	return true;
}

bool fxt_stream_note(struct fxt_streams *streams, struct fxt_stream *stream, const struct fxt_frame *frame,
		   __u64 ns)
{
	if (ns < stream->last_ns)
		return false;
	if ((!stream->count || stream->extents[stream->count - 1].end != frame->offset) &&
	    !extent_begin(streams, stream, frame->offset))
		return false;
	stream->extents[stream->count - 1].end = frame->offset + frame->bytes;
	stream->last_ns = ns;
	streams->noted++;
	return true;
}

void fxt_streams_begin(struct fxt_streams *streams)
{
	size_t room = WINDOWS_BYTES / (streams->count ? streams->count : 1), i;

	if (room > WINDOW_MAX)
		room = WINDOW_MAX;
	if (room < WINDOW_MIN)
		room = WINDOW_MIN;
	for (i = 0; i < streams->count; i++) {
		struct fxt_stream *stream = streams->stream[i];

		stream->window_room = room;
		stream->at = stream->count ? stream->extents[0].begin : 0;
	}
}

/* Reads from the cursor on: to the extent's end, and what else a page holds. */
static int window_read(struct fxt_stream *stream, __u64 end)
{
	size_t want = end - stream->at < WINDOW_MIN ? WINDOW_MIN : end - stream->at;
	ssize_t got;

	if (!stream->window)
		stream->window = malloc(stream->window_room);
	if (!stream->window)
		return -ENOMEM;
	do {
		got = pread(stream->of.fd, stream->window,
			    want < stream->window_room ? want : stream->window_room, stream->at);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	stream->window_begin = stream->at;
	stream->window_end = stream->at + got;
	return 0;
}

/* The record at the cursor, past which it moves. */
static int record_read(struct fxt_stream *stream, __u64 *ticks)
{
	struct fxt_frame frame;

	if (stream->at > stream->window_end ||
	    fxt_frame_read(&frame, stream->window + (stream->at - stream->window_begin),
			   stream->window_end - stream->at, stream->at))
		return -EIO;
	stream->at += frame.bytes;
	if (fxt_field(fxt_frame_word(frame.data), 60, 63) == FXT_SCHEDULING_CONTEXT_SWITCH) {
		stream->kind = FXT_KIND_CONTEXT_SWITCH;
		return fxt_sched_switch_read(&frame, &stream->change, ticks) ? 0 : -EIO;
	}
	stream->kind = FXT_KIND_WAKEUP;
	if (!fxt_sched_wakeup_read(&frame, &stream->wakeup, ticks))
		return -EIO;
	stream->wakeup.cpu = stream->of.cpu;
	return 0;
}

int fxt_stream_next(struct fxt_stream *stream, __u64 *ns)
{
	const struct extent *e;
	__u64 ticks;
	int err = 0;

	if (stream->extent == stream->count)
		return 0;
	e = &stream->extents[stream->extent];
	if (stream->at == e->end) {
		if (++stream->extent == stream->count)
			return 0;
		e++;
		stream->at = e->begin;
	}
	if (stream->at < stream->window_begin ||
	    (stream->at + FXT_SCHED_BYTES_MAX > stream->window_end && e->end > stream->window_end))
		err = window_read(stream, e->end);
	if (!err)
		err = record_read(stream, &ticks);
	if (err)
		return err;
	*ns = fxt_ticks_ns(stream->of.ticks_per_second, ticks) + stream->of.offset;
	return 1;
}

void fxt_stream_record(const struct fxt_stream *stream, struct fxt_record *r)
{
	r->kind = stream->kind;
	r->view = &stream->change;
	r->provider = stream->of.provider;
}
