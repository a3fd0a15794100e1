// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Reads a file or a pipe record by record, through a buffer of fixed size. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/reader.h"

/* Sizes of the window, and of the space after it for the pieces of records that extend past the window. */
#define WINDOW_BYTES	((size_t)640 << 10)
#define PIECE_BYTES	((size_t)256 << 10)

/* Size of a read, always to the same address, so that the bytes stay in the processor's cache. */
#define READ_BYTES	((size_t)64 << 10)

_Static_assert(WINDOW_BYTES >= FXT_FRAME_PREFIX, "a window holds what must stand in it");

int fxt_reader_open_with(struct fxt_reader *reader, fxt_reader_fill fill, void *arg)
{
	*reader = (struct fxt_reader){ .fill = fill, .arg = arg, .fd = -1 };
	reader->buffer = malloc(WINDOW_BYTES + PIECE_BYTES);
	return reader->buffer ? 0 : -ENOMEM;
}

static ssize_t fd_read(void *arg, void *to, size_t room)
{
	ssize_t bytes;

	do {
		bytes = read(*(int *)arg, to, room);
	} while (bytes < 0 && errno == EINTR);
	return bytes < 0 ? -errno : bytes;
}

int fxt_reader_open(struct fxt_reader *reader, const char *path)
{
	int err = fxt_reader_open_with(reader, fd_read, &reader->fd);

	if (err)
		return err;
	reader->fd = STDIN_FILENO;
	if (!strcmp(path, "-"))
		return 0;
	reader->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (reader->fd >= 0)
		return 0;
	err = -errno;
	free(reader->buffer);
	return err;
}

void fxt_reader_close(struct fxt_reader *reader)
{
	if (reader->fd > STDIN_FILENO)
		close(reader->fd);
	free(reader->buffer);
}

/*
 * Reads once, at least a byte.  Returns 0 at the file's end; -EIO if the function claims
 * more bytes than it had space for.
 */
static ssize_t fill(struct fxt_reader *reader, __u8 *at, size_t room)
{
	ssize_t bytes = reader->fill(reader->arg, at, room);

	if (bytes > (ssize_t)room)
		return -EIO;
	if (!bytes)
		reader->ended = true;
	return bytes;
}

/* Fills the window up to need bytes from begin on, or to the file's end. */
static int window_fill(struct fxt_reader *reader, size_t need)
{
	if (reader->begin + need > WINDOW_BYTES || reader->end - reader->begin < READ_BYTES / 16) {
		memmove(reader->buffer, reader->buffer + reader->begin,
			reader->end - reader->begin);
		reader->end -= reader->begin;
		reader->begin = 0;
	}
	while (!reader->ended && reader->end - reader->begin < need) {
		size_t room = WINDOW_BYTES - reader->end;
		ssize_t bytes = fill(reader, reader->buffer + reader->end, room < READ_BYTES ? room : READ_BYTES);

		if (bytes < 0)
			return bytes;
		reader->end += bytes;
	}
	return 0;
}

/* Skips the rest of the last frame. */
static int frame_finish(struct fxt_reader *reader)
{
	const __u8 *piece;
	size_t bytes;
	int err;

	do {
		err = fxt_reader_more(reader, &piece, &bytes);
	} while (err > 0);
	return err;
}

int fxt_reader_next_any(struct fxt_reader *reader, struct fxt_frame *frame)
{
	int err = frame_finish(reader);

	if (err)
		return err;
	for (;;) {
		err = fxt_frame_read(frame, reader->buffer + reader->begin,
				     reader->end - reader->begin, reader->offset);
		if (err != -EAGAIN)
			break;
		if (reader->ended)
			return reader->begin == reader->end ? 0 : -ENODATA;
		err = window_fill(reader, frame->need);
		if (err)
			return err;
	}
	if (err)
		return err;
	reader->begin += frame->bytes;
	reader->size = 8 * frame->words;
	reader->rest = reader->size - frame->bytes;
	if (!reader->rest)
		reader->offset += reader->size;
	return 1;
}

int fxt_reader_more(struct fxt_reader *reader, const __u8 **piece, size_t *bytes)
{
	ssize_t got;

	if (!reader->rest)
		return 0;
	got = fill(reader, reader->buffer + WINDOW_BYTES,
		   reader->rest < PIECE_BYTES ? reader->rest : PIECE_BYTES);
	if (got <= 0)
		return got ? got : -ENODATA;
	*piece = reader->buffer + WINDOW_BYTES;
	*bytes = got;
	reader->rest -= got;
	if (!reader->rest)
		reader->offset += reader->size;
	return 1;
}
