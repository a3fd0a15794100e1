/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Reads a file or a pipe record by record, through a buffer of fixed size. */
#ifndef FXT_CODEC_READER_H
#define FXT_CODEC_READER_H

#include <stdbool.h>
#include <sys/types.h>

#include "codec/frame.h"

/* Reads like read(2), but returns -errno. */
typedef ssize_t (*fxt_reader_fill)(void *arg, void *to, size_t room);

struct fxt_reader {
	fxt_reader_fill fill;
	void *arg;
	int fd;			/* descriptor of a file that the reader opened; else -1 */
	__u8 *buffer;
	size_t begin;		/* offset in buffer of the bytes that are not in a frame yet */
	size_t end;
	__u64 offset;		/* offset of begin in the file; all records before it are complete */
	__u64 size;		/* bytes of the last frame's record */
	__u64 rest;		/* bytes of that record that are not read yet */
	bool ended;		/* file has no more bytes than the buffer */
};

/* Opens a file; "-" is standard input.  Returns 0 or -errno. */
int fxt_reader_open(struct fxt_reader *reader, const char *path);

/* Opens a reader that reads with a function.  Returns 0 or -ENOMEM. */
int fxt_reader_open_with(struct fxt_reader *reader, fxt_reader_fill fill, void *arg);
void fxt_reader_close(struct fxt_reader *reader);

/*
 * Reads the next record; the preceding frame is no longer valid.  Returns 1: a record, complete but for
 * the bytes that fxt_reader_more() returns; 0: the file ends after a complete record; -ENODATA: the file
 * ends inside a record, at reader->offset; -EBADMSG: the record's size is 0; or the error of reading.
 */
int fxt_reader_next_any(struct fxt_reader *reader, struct fxt_frame *frame);

static inline int fxt_reader_next(struct fxt_reader *reader, struct fxt_frame *frame)
{
	size_t room = reader->end - reader->begin;
	__u64 header = !reader->rest && room >= 8 ? fxt_frame_word(reader->buffer + reader->begin) : 0;
	__u64 words = fxt_field(header, 4, 15);

	/* Most records are small, and completely in the window. */
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
 * Returns the window's bytes from offset on, for a caller that frames small records itself;
 * sets *bytes to 0 inside a large record.  The caller skips whole records by fxt_reader_pass().
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
 * Reads the next piece of a large record's frame that the window doesn't hold.  The frame
 * stays valid; the piece is valid until the next piece is read.  Returns 1; 0 once the
 * record is complete; -ENODATA where the file ends inside the record; -errno.
 */
int fxt_reader_more(struct fxt_reader *reader, const __u8 **piece, size_t *bytes);

#endif
