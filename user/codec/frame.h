/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Framing: the one record at the beginning of a window of a file's bytes. */
#ifndef FXT_CODEC_FRAME_H
#define FXT_CODEC_FRAME_H

#include <endian.h>
#include <stddef.h>
#include <string.h>

#include "fxt/wire.h"

/*
 * Bytes that hold all of a large record but its payload: two headers, two
 * names, time and thread, the arguments and the payload's size.
 */
#define FXT_FRAME_PREFIX	(8u * (2 + 2 * 4096 + 3 + FXT_ARGS_MAX * FXT_RECORD_WORDS_MAX + 1))

struct fxt_frame {
	__u64 offset;		/* of the record in the file */
	__u64 words;		/* of the record, its header included */
	__u64 need;		/* bytes of the record that the window must hold */
	const __u8 *data;	/* its first byte, in the window */
	size_t bytes;		/* of it in the window: all but a large record's last ones */
};

static inline __u64 fxt_frame_word(const __u8 *at)
{
	__u64 word;

	memcpy(&word, at, sizeof(word));
	return le64toh(word);
}

/*
 * The record at the beginning of a window, which starts at offset of the file.
 * 0; -EAGAIN where the window must hold frame->need bytes first, so that a file
 * that ends here is cut inside a record; -EBADMSG where the size is 0, so that
 * the next record can't be found.
 */
int fxt_frame_read(struct fxt_frame *frame, const void *window, size_t bytes, __u64 offset);

#endif
