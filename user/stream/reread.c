// SPDX-License-Identifier: GPL-2.0-only
/* Reads streams: scheduling records of one CPU that are in time order in the input. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/entry.h"
#include "stream/reread.h"
#include "fxt/sched.h"
#include "model/sched_read.h"
#include "util/array.h"

#define STREAMS_MAX	4096u
#define EXTENTS_MAX	((size_t)1 << 20)

/* Limit of all windows together, and limits of one window; all have equal size. */
#define WINDOWS_BYTES	((size_t)8 << 20)
#define WINDOW_MIN	((size_t)4 << 10)
#define WINDOW_MAX	((size_t)64 << 10)

/* Records that are read at a time, in a loop without calls. */
#define AHEAD		16u

struct extent {
	__u64 begin, end;	/* offsets in the input */
};

struct fxt_stream {
	struct fxt_merge_source source;
	struct fxt_stream_params params;
	__u64 last_ns;
	struct extent *extents;
	size_t count;
	__u64 end;		/* end of the last extent, so far */
	/* The cursor. */
	size_t extent;
	__u64 at;		/* offset of the next record in the input */
	__u64 near;		/* a record that starts before it is in the window, and in this extent */
	/* Bytes of the input. */
	__u8 *window;
	size_t window_room;
	__u64 window_begin, window_end;
	struct fxt_brief ahead[AHEAD];
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
	int own, err = fxt_array_more(streams->fds, streams->fd_count);

	if (err)
		return err;
	own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (own < 0)
		return -errno;
	streams->fds[streams->fd_count++] = own;
	return own;
}

bool fxt_stream_matches(const struct fxt_stream *stream, const struct fxt_stream_params *params)
{
	const struct fxt_stream_params *own = &stream->params;

	return own->fd == params->fd && own->provider == params->provider && own->cpu == params->cpu &&
	       own->moves == params->moves && own->process == params->process &&
	       own->ticks_per_second == params->ticks_per_second &&
	       !memcmp(&own->fit, &params->fit, sizeof(own->fit));
}

/* Completes the last extent. */
static void extent_end(struct fxt_stream *stream)
{
	if (stream->count)
		stream->extents[stream->count - 1].end = stream->end;
}

/* Adds an extent, from an offset in the input on. */
static bool extent_add(struct fxt_streams *streams, struct fxt_stream *stream, __u64 begin)
{
	if (streams->extent_count == EXTENTS_MAX)
		return false;
	if (fxt_array_more(stream->extents, stream->count))
		return false;
	extent_end(stream);
	stream->extents[stream->count++] = (struct extent){ begin, begin };
	streams->extent_count++;
	return true;
}

bool fxt_stream_accepts(struct fxt_streams *streams, struct fxt_stream *stream, __u64 offset, __u64 ns)
{
	if (ns < stream->last_ns)
		return false;
	return (stream->count && stream->end == offset) || extent_add(streams, stream, offset);
}

void fxt_stream_append(struct fxt_streams *streams, struct fxt_stream *stream, __u64 end, __u64 records,
		       __u64 last_ns)
{
	stream->end = end;
	stream->last_ns = last_ns;
	streams->records += records;
}

/* Reads from the cursor on: to the extent's end, or at least a page. */
static int window_read(struct fxt_stream *stream, __u64 end)
{
	size_t want = end - stream->at < WINDOW_MIN ? WINDOW_MIN : end - stream->at;
	ssize_t got;

	if (!stream->window)
		stream->window = malloc(stream->window_room);
	if (!stream->window)
		return -ENOMEM;
	do {
		got = pread(stream->params.fd, stream->window,
			    want < stream->window_room ? want : stream->window_room, stream->at);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	stream->window_begin = stream->at;
	stream->window_end = stream->at + got;
	return 0;
}

/* Moves to the next extent at the end of this one, and reads the record at the cursor into the window. */
static int cursor_move(struct fxt_stream *stream)
{
	const struct extent *e;

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
	    (stream->at + FXT_SCHED_BYTES_MAX > stream->window_end && e->end > stream->window_end)) {
		int err = window_read(stream, e->end);

		if (err)
			return err;
	}
	/* Records that start before near are of this extent, and complete in the window. */
	stream->near = e->end <= stream->window_end ? e->end : stream->window_end - FXT_SCHED_BYTES_MAX + 1;
	return 1;
}

/* Reads the next records, from the cursor on.  Records before an error are passed on before the error. */
static int ahead_read(struct fxt_stream *stream)
{
	const struct fxt_stream_params *params = &stream->params;
	const __u8 *at = stream->window + (stream->at - stream->window_begin);
	const __u8 *end = stream->window + (stream->window_end - stream->window_begin);
	__u64 left = stream->near > stream->at ? stream->near - stream->at : 0, bytes, ticks;
	const __u8 *near = left < (__u64)(end - at) ? at + left : end, *start = at;
	struct fxt_brief *brief = stream->ahead;

	for (; brief < stream->ahead + AHEAD && at < near; brief++) {
		bytes = end - at < 8 ? 8 : 8 * fxt_field(fxt_frame_word(at), 4, 15);
		if (bytes > (__u64)(end - at))
			break;
		brief->kind = fxt_stream_view_read(at, params->cpu, params->moves, &brief->view, &ticks);
		if (brief->kind == FXT_KIND_UNKNOWN)
			break;
		brief->ns = fxt_fit_ns(&params->fit, fxt_ticks_ns(params->ticks_per_second, ticks));
		at += bytes;
	}
	stream->at += at - start;
	stream->source.brief = stream->ahead;
	stream->source.brief_end = brief;
	return brief == stream->ahead ? -EIO : 0;
}

static int stream_next(struct fxt_merge_source *source, __u64 *ns)
{
	struct fxt_stream *stream = (struct fxt_stream *)source;
	int err;

	if (source->brief_end - source->brief > 1) {
		*ns = (++source->brief)->ns;
		return 1;
	}
	if (stream->at >= stream->near) {
		int got = cursor_move(stream);

		if (got <= 0)
			return got;
	}
	err = ahead_read(stream);
	if (err)
		return err;
	*ns = source->brief->ns;
	return 1;
}

/* Sets a record in brief only. */
static int stream_get_brief(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r)
{
	fxt_record_set_brief(r, source->brief->kind, ns, &source->brief->view, source->provider, source->input,
			     source->machine);
	r->event.type = FXT_EVENT_INSTANT;
	r->event.unsettled = false;
	return 0;
}

/* Sets a migration: an event with its arguments, and also its view. */
static void migration_get(const struct fxt_stream *stream, __u64 ns, struct fxt_record *r)
{
	const struct fxt_merge_source *source = &stream->source;

	fxt_migrate_view_put(&source->brief->view.migrate, r, ns);
	r->thread.process = stream->params.process;
	r->frame.offset = ns;
	r->view = &source->brief->view;
	r->provider = source->provider;
	r->input = source->input;
	r->machine = source->machine;
}

static int stream_get(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r)
{
	if (source->brief->kind == FXT_KIND_EVENT) {
		migration_get((struct fxt_stream *)source, ns, r);
		return 0;
	}
	return stream_get_brief(source, ns, r);
}

struct fxt_stream *fxt_streams_add(struct fxt_streams *streams, const struct fxt_stream_params *params)
{
	struct fxt_stream *stream;

	if (streams->count == STREAMS_MAX)
		return NULL;
	if (fxt_array_more(streams->stream, streams->count))
		return NULL;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return NULL;
	stream->source = (struct fxt_merge_source){
		.next = stream_next,
		.get = stream_get,
		.provider = params->provider,
		.input = params->input,
		.machine = params->machine,
	};
	stream->params = *params;
	streams->stream[streams->count++] = stream;
	return stream;
}

int fxt_streams_merge(struct fxt_streams *streams, struct fxt_merge *merge, bool views)
{
	size_t room = WINDOWS_BYTES / (streams->count ? streams->count : 1), i;
	int err = 0;

	if (room > WINDOW_MAX)
		room = WINDOW_MAX;
	if (room < WINDOW_MIN)
		room = WINDOW_MIN;
	for (i = 0; i < streams->count && !err; i++) {
		struct fxt_stream *stream = streams->stream[i];

		extent_end(stream);
		stream->window_room = room;
		if (views)
			stream->source.get = stream_get_brief;
		stream->at = stream->count ? stream->extents[0].begin : 0;
		err = fxt_merge_add(merge, &stream->source);
	}
	return err;
}
