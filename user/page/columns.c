// SPDX-License-Identifier: GPL-2.0-only
/* Deflates columns of numbers together. */
#include <errno.h>

#include <zlib.h>

#include "page/columns.h"

#define STEP	((size_t)64 << 10)

/* Ends a block of RFC 1951, or the last one, after each column: each has its own frequencies of bytes. */
static int deflate_put(z_stream *z, struct fxt_buffer *to, const struct fxt_buffer *from, int flush)
{
	int got;

	z->next_in = (Bytef *)from->bytes;
	z->avail_in = from->length;
	do {
		char *room = fxt_buffer_room(to, STEP);

		if (!room)
			return -ENOMEM;
		z->next_out = (Bytef *)room;
		z->avail_out = STEP;
		got = deflate(z, flush);
		to->length += STEP - z->avail_out;
	} while (!z->avail_out);
	return got == Z_STREAM_ERROR ? -ENOMEM : 0;
}

int fxt_columns_pack(struct fxt_buffer *to, struct fxt_buffer *columns, unsigned int count)
{
	struct fxt_buffer head = { 0 };
	z_stream z = { 0 };
	unsigned int i;
	int err;

	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	fxt_column_put(&head, count);
	for (i = 0; i < count; i++)
		fxt_column_put(&head, columns[i].length);
	err = head.failed ? -ENOMEM : deflate_put(&z, to, &head, Z_BLOCK);
	for (i = 0; i < count; i++) {
		if (!err)
			err = columns[i].failed ? -ENOMEM :
			      deflate_put(&z, to, &columns[i], i + 1 < count ? Z_BLOCK : Z_FINISH);
		columns[i].length = 0;
		columns[i].failed = false;
	}
	fxt_buffer_uninit(&head);
	deflateEnd(&z);
	return err;
}
