/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Framing: finds the record at the start of a window of a file's bytes. */
#ifndef FXT_CODEC_FRAME_H
#define FXT_CODEC_FRAME_H

#include <endian.h>
#include <stddef.h>
#include <string.h>

#include "fxt/wire.h"

/*
 * Size of a large record's largest part before its payload: two headers, two names, time and
 * thread, the arguments and the payload's size.
 */
#define FXT_FRAME_PREFIX	(8u * (2 + 2 * 4096 + 3 + FXT_ARGS_MAX * FXT_RECORD_WORDS_MAX + 1))

struct fxt_frame {
	__u64 offset;		/* offset of the record in the file */
	__u64 words;		/* words of the record, with its header */
	__u64 need;		/* bytes of the record that the window must hold */
	const __u8 *data;	/* first byte of the record, in the window */
	size_t bytes;		/* bytes of the record in the window: all but a large record's last bytes */
};

static inline __u64 fxt_frame_word(const __u8 *at)
{
	__u64 word;

	memcpy(&word, at, sizeof(word));
	return le64toh(word);
}

/*
 * Reads the record at the start of a window, which is at offset in the file.  Returns 0;
 * -EAGAIN where the window must hold frame->need bytes first (a file that ends here is cut
 * inside a record); -EBADMSG where the size is 0, so that the next record can't be found.
 */
int fxt_frame_read(struct fxt_frame *frame, const void *window, size_t bytes, __u64 offset);

#endif
