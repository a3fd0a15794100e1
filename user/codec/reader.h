/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reads a file or a pipe record by record, through a buffer of fixed size. */
#ifndef FXT_CODEC_READER_H
#define FXT_CODEC_READER_H

#include <stdbool.h>
#include <sys/types.h>

#include "codec/frame.h"

/* As read(2), but -errno. */
typedef ssize_t (*fxt_reader_fill)(void *arg, void *to, size_t room);

struct fxt_reader {
	fxt_reader_fill fill;
	void *arg;
	int fd;			/* of a file that the reader opened; else -1 */
	__u8 *buffer;
	size_t begin;		/* in buffer: of what is not in a frame yet */
	size_t end;
	__u64 offset;		/* of begin, in the file; before it all records are whole */
	__u64 size;		/* of the last frame's record */
	__u64 rest;		/* of these bytes, those not read yet */
	bool ended;		/* the file has no more than the buffer holds */
};

/* "-" is standard input.  0 or -errno. */
int fxt_reader_open(struct fxt_reader *reader, const char *path);

/* Reads with a function.  0 or -ENOMEM. */
int fxt_reader_open_with(struct fxt_reader *reader, fxt_reader_fill fill, void *arg);
void fxt_reader_close(struct fxt_reader *reader);

/*
 * The next record; the frame before is no longer valid.  1: there is one, whole
 * but for what fxt_reader_more() returns.  0: the file ends behind
 * a whole record.  -ENODATA: it ends inside one, at reader->offset.  -EBADMSG:
 * its size is 0.  Else what read() failed with.
 */
int fxt_reader_next_any(struct fxt_reader *reader, struct fxt_frame *frame);

static inline int fxt_reader_next(struct fxt_reader *reader, struct fxt_frame *frame)
{
	size_t room = reader->end - reader->begin;
	__u64 header = !reader->rest && room >= 8 ? fxt_frame_word(reader->buffer + reader->begin) : 0;
	__u64 words = fxt_field(header, 4, 15);

	/* Most are small, and in the window as a whole. */
	if (!words || 8 * words > room || fxt_field(header, 0, 3) == FXT_RECORD_LARGE)
		return fxt_reader_next_any(reader, frame);
	*frame = (struct fxt_frame){
		.offset = reader->offset,
		.words = words,
		.need = 8 * words,
		.data = reader->buffer + reader->begin,
		.bytes = 8 * words,
	};
	reader->begin += 8 * words;
	reader->offset += 8 * words;
	return 1;
}

/*
 * What the window holds from offset on, for one that frames small records itself; none inside a
 * large one.  It then moves past those, as a whole.
 */
static inline const __u8 *fxt_reader_ahead(const struct fxt_reader *reader, size_t *bytes)
{
	*bytes = reader->rest ? 0 : reader->end - reader->begin;
	return reader->buffer + reader->begin;
}

static inline void fxt_reader_pass(struct fxt_reader *reader, size_t bytes)
{
	reader->begin += bytes;
	reader->offset += bytes;
}

/*
 * The next of the frame's bytes that the window doesn't hold: only a large
 * record has any.  The frame stays valid; the piece is valid until the next
 * one.  1; 0: the record is whole; -ENODATA: the file ends before; -errno.
 */
int fxt_reader_more(struct fxt_reader *reader, const __u8 **piece, size_t *bytes);

#endif
