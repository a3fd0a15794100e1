// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Framing: finds the record at the start of a window of a file's bytes. */
#include <errno.h>

#include "codec/frame.h"

int fxt_frame_read(struct fxt_frame *frame, const void *window, size_t bytes, __u64 offset)
{
	__u64 header, size;
	int large;

	*frame = (struct fxt_frame){ .offset = offset, .need = 8, .data = window };
	if (bytes < 8)
		return -EAGAIN;
	header = fxt_frame_word(window);
	large = fxt_field(header, 0, 3) == FXT_RECORD_LARGE;
	frame->words = large ? fxt_field(header, 4, 35) : fxt_field(header, 4, 15);
	if (!frame->words)
		return -EBADMSG;
	size = 8 * frame->words;
	frame->need = size < FXT_FRAME_PREFIX ? size : FXT_FRAME_PREFIX;
	if (bytes < frame->need)
		return -EAGAIN;
	frame->bytes = bytes < size ? bytes : size;
	return 0;
}
