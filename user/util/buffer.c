// SPDX-License-Identifier: GPL-2.0-only
/* Bytes in memory that grow. */
#include <stdlib.h>
#include <string.h>

#include "util/buffer.h"

void fxt_buffer_uninit(struct fxt_buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct fxt_buffer){ 0 };
}

char *fxt_buffer_grow(struct fxt_buffer *buffer, size_t more)
{
	size_t room = (buffer->length + more) * 3 / 2 + 256;
	char *bytes = realloc(buffer->bytes, room);

	if (!bytes) {
		buffer->failed = true;
		return NULL;
	}
	buffer->bytes = bytes;
	buffer->room = room;
	return bytes + buffer->length;
}

void fxt_buffer_put(struct fxt_buffer *buffer, const void *bytes, size_t count)
{
	char *to = count ? fxt_buffer_room(buffer, count) : NULL;

	if (!to)
		return;
	memcpy(to, bytes, count);
	buffer->length += count;
}
