/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes in memory that grow. */
#ifndef FXT_UTIL_BUFFER_H
#define FXT_UTIL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty buffer. */
struct fxt_buffer {
	char *bytes;
	size_t length;
	size_t room;
	bool failed;		/* no memory: bytes that were put are missing */
};

void fxt_buffer_uninit(struct fxt_buffer *buffer);

/* Makes capacity for more bytes after length; returns their address, or NULL. */
char *fxt_buffer_grow(struct fxt_buffer *buffer, size_t more);

static inline char *fxt_buffer_room(struct fxt_buffer *buffer, size_t more)
{
	return buffer->room - buffer->length < more ? fxt_buffer_grow(buffer, more) :
						      buffer->bytes + buffer->length;
}

void fxt_buffer_put(struct fxt_buffer *buffer, const void *bytes, size_t count);

#endif
