// SPDX-License-Identifier: GPL-2.0-only
/* Deflates columns of numbers together. */
#include <errno.h>

#include <libdeflate.h>

#include "page/columns.h"

static int deflate_put(struct fxt_buffer *to, const struct fxt_buffer *from, enum fxt_columns_level level)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
	size_t bound = libdeflate_deflate_compress_bound(compressor, from->length);
	char *start = compressor ? fxt_buffer_room(to, bound) : NULL;

	if (start)
		to->length += libdeflate_deflate_compress(compressor, from->bytes, from->length, start, bound);
	libdeflate_free_compressor(compressor);
	return start ? 0 : -ENOMEM;
}

int fxt_columns_pack(struct fxt_buffer *to, struct fxt_buffer *columns, unsigned int count,
		     enum fxt_columns_level level)
{
	struct fxt_buffer all = { 0 };
	unsigned int i;
	int err;

	fxt_column_put(&all, count);
	for (i = 0; i < count; i++)
		fxt_column_put(&all, columns[i].length);
	for (i = 0; i < count; i++) {
		all.failed |= columns[i].failed;
		fxt_buffer_put(&all, columns[i].bytes, columns[i].length);
		columns[i].length = 0;
		columns[i].failed = false;
	}
	err = all.failed ? -ENOMEM : deflate_put(to, &all, level);
	fxt_buffer_uninit(&all);
	return err;
}
