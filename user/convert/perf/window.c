// SPDX-License-Identifier: GPL-2.0-only
/* The bytes of perf.data: of a file at any place, of a pipe one after the other. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/perf/read.h"

#define WINDOW_BYTES	((size_t)256 << 10)

static ssize_t window_read(struct fxt_perf_reader *rd, void *to, size_t room)
{
	ssize_t got;

	if (rd->fd < 0)
		return fxt_in_read(rd->in, to, room);
	if (rd->next >= rd->end)
		return 0;
	if (room > rd->end - rd->next)
		room = rd->end - rd->next;
	do {
		got = pread(rd->fd, to, room, rd->next);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	rd->next += got;
	rd->in->consumed += rd->temporary ? 0 : got;
	if (rd->in->watch)
		rd->in->watch(rd->in, rd->in->watch_arg);
	return got;
}

/* Room for so many bytes from the window's place on. */
static int window_grow(struct fxt_perf_window *w, size_t wanted)
{
	size_t room = w->room ? w->room : WINDOW_BYTES;
	__u8 *bytes;

	if (w->at && w->at + wanted > w->room) {
		memmove(w->bytes, w->bytes + w->at, w->end - w->at);
		w->end -= w->at;
		w->at = 0;
	}
	while (room < wanted)
		room *= 2;
	if (room == w->room)
		return 0;
	bytes = realloc(w->bytes, room);
	if (!bytes)
		return -ENOMEM;
	w->bytes = bytes;
	w->room = room;
	return 0;
}

const __u8 *fxt_perf_bytes(struct fxt_perf_reader *rd, size_t wanted, ssize_t *bytes)
{
	struct fxt_perf_window *w = &rd->window;

	while (w->end - w->at < wanted) {
		ssize_t got = window_grow(w, wanted);

		if (!got)
			got = window_read(rd, w->bytes + w->end, w->room - w->end);
		if (got < 0) {
			*bytes = fxt_error_set(&rd->c->error, -got, "%s: %s", rd->in->name,
					       got == -EBADMSG ? "its gzip or zstd data is damaged" :
					       strerror(-got));
			return NULL;
		}
		if (!got)
			break;
		w->end += got;
	}
	*bytes = w->end - w->at < wanted ? w->end - w->at : wanted;
	return w->bytes + w->at;
}

int fxt_perf_skip(struct fxt_perf_reader *rd, __u64 bytes)
{
	struct fxt_perf_window *w = &rd->window;
	ssize_t got;

	rd->offset += bytes;
	while (bytes) {
		size_t part = w->end - w->at;

		if (part > bytes)
			part = bytes;
		w->at += part;
		bytes -= part;
		if (!bytes)
			return 0;
		/* All of the window is used up. */
		if (!fxt_perf_bytes(rd, 1, &got))
			return got;
		if (!got)
			return 0;
	}
	return 0;
}

__u8 *fxt_perf_section(struct fxt_perf_reader *rd, __u64 offset, __u64 bytes, int *err)
{
	__u8 *data;
	ssize_t got;

	*err = -EBADMSG;
	if (offset > rd->size || bytes > rd->size - offset || bytes > FXT_PERF_SECTION_MAX) {
		fxt_error_set(&rd->c->error, EBADMSG, bytes > FXT_PERF_SECTION_MAX ?
			      "%s: a section of its header has more than 32 MiB" :
			      "%s: it is cut off: a section of its header is behind its end", rd->in->name);
		return NULL;
	}
	data = malloc(bytes + 1);
	*err = -ENOMEM;
	if (!data) {
		fxt_error_set(&rd->c->error, ENOMEM, "%s: no memory", rd->in->name);
		return NULL;
	}
	got = pread(rd->fd, data, bytes, offset);
	if (got == (ssize_t)bytes) {
		*err = 0;
		return data;
	}
	*err = fxt_error_set(&rd->c->error, got < 0 ? errno : EBADMSG, "%s: %s", rd->in->name,
			     got < 0 ? strerror(errno) : "it changes while it is read");
	free(data);
	return NULL;
}
