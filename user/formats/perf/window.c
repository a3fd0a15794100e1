// SPDX-License-Identifier: GPL-2.0-only
/* Reads the bytes of perf.data: of a file at any offset, of a pipe one after the other. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/perf/read.h"
#include "store/huge.h"

static ssize_t window_read(struct fxt_perf_reader *rd, void *to, size_t room)
{
	ssize_t got;

	if (rd->fd < 0)
		return fxt_in_read(rd->in, to, room);
	if (rd->next >= rd->end)
		return 0;
	if (room > rd->end - rd->next)
		room = rd->end - rd->next;
	if (rd->read_max && room > rd->read_max)
		room = rd->read_max;
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

/* Returns the number of the first chunk without users, as its memory is likely in the caches; -errno. */
static int chunk_get(struct fxt_perf_reader *rd)
{
	struct fxt_perf_chunks *c = &rd->chunks;
	unsigned int i;
	int err;

	if (!c->bytes)
		c->bytes = fxt_huge_alloc(FXT_PERF_CHUNKS * FXT_PERF_CHUNK_BYTES);
	if (!c->bytes)
		return -ENOMEM;
	for (;;) {
		for (i = 0; i < FXT_PERF_CHUNKS; i++)
			if (!c->users[i])
				return i;
		err = fxt_perf_queue_relieve(rd);
		if (err)
			return err;
	}
}

int fxt_perf_window_room(struct fxt_perf_reader *rd, struct fxt_perf_window *w, size_t wanted)
{
	struct fxt_perf_chunks *c = &rd->chunks;
	__u8 *old = w->bytes;
	int number;

	if (old && w->at + wanted <= FXT_PERF_CHUNK_BYTES)
		return 0;
	number = chunk_get(rd);
	if (number < 0)
		return number;
	c->users[number]++;
	w->bytes = c->bytes + number * FXT_PERF_CHUNK_BYTES;
	if (old) {
		memcpy(w->bytes, old + w->at, w->end - w->at);
		c->users[(old - c->bytes) / FXT_PERF_CHUNK_BYTES]--;
	}
	w->end -= w->at;
	w->at = 0;
	return 0;
}

const __u8 *fxt_perf_bytes_read(struct fxt_perf_reader *rd, size_t wanted, ssize_t *bytes)
{
	struct fxt_perf_window *w = &rd->window;

	while (w->end - w->at < wanted) {
		ssize_t got = fxt_perf_window_room(rd, w, wanted);

		if (!got)
			got = window_read(rd, w->bytes + w->end, FXT_PERF_CHUNK_BYTES - w->end);
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

int fxt_perf_skip_far(struct fxt_perf_reader *rd, __u64 bytes)
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
		/* The window is used up. */
		if (!fxt_perf_bytes(rd, 1, &got))
			return got;
		if (!got)
			return 0;
	}
	return 0;
}

__u8 *fxt_perf_take(struct fxt_perf_reader *rd, size_t bytes, int *err)
{
	__u8 *data = malloc(bytes);
	size_t at = 0;
	ssize_t got;

	*err = data ? 0 : -ENOMEM;
	while (!*err && at < bytes) {
		size_t part = bytes - at < FXT_PERF_RECORD_MAX ? bytes - at : FXT_PERF_RECORD_MAX;
		const __u8 *from = fxt_perf_bytes(rd, part, &got);

		if (!from || !got) {
			*err = got;
			break;
		}
		memcpy(data + at, from, got);
		at += got;
		*err = fxt_perf_skip(rd, got);
	}
	if (at == bytes && !*err)
		return data;
	free(data);
	return NULL;
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
