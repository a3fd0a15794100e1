// SPDX-License-Identifier: GPL-2.0-only
/* Columns of numbers, gathered in one text and deflated. */
#include <errno.h>

#include <zlib.h>

#include "page/columns.h"

#define STEP	((size_t)64 << 10)

int fxt_columns_join(struct fxt_buffer *to, struct fxt_buffer *columns, unsigned int count)
{
	bool failed = false;
	unsigned int i;

	fxt_column_put(to, count);
	for (i = 0; i < count; i++)
		fxt_column_put(to, columns[i].length);
	for (i = 0; i < count; i++) {
		fxt_buffer_put(to, columns[i].bytes, columns[i].length);
		failed |= columns[i].failed;
		columns[i].length = 0;
		columns[i].failed = false;
	}
	return failed || to->failed ? -ENOMEM : 0;
}

int fxt_columns_deflate(struct fxt_buffer *to, const struct fxt_buffer *from)
{
	z_stream z = { .next_in = (Bytef *)from->bytes, .avail_in = from->length };
	int got = Z_OK;

	if (from->failed || deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
					 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	while (got == Z_OK) {
		char *room = fxt_buffer_room(to, STEP);

		if (!room)
			break;
		z.next_out = (Bytef *)room;
		z.avail_out = STEP;
		got = deflate(&z, Z_FINISH);
		to->length += STEP - z.avail_out;
	}
	deflateEnd(&z);
	return got == Z_STREAM_END ? 0 : -ENOMEM;
}
