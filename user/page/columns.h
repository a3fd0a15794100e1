/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of numbers: variable-length integers, deflated together. */
#ifndef FXT_PAGE_COLUMNS_H
#define FXT_PAGE_COLUMNS_H

#include <linux/types.h>

#include "util/buffer.h"

/* Puts a number as seven bits per byte, the lowest first; the eighth bit is set if more bytes follow. */
static inline void fxt_column_put(struct fxt_buffer *column, __u64 number)
{
	char *to = fxt_buffer_room(column, 10);

	if (!to)
		return;
	for (; number > 0x7f; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	column->length = to - column->bytes;
}

/*
 * Puts the low bytes into a column each, the lowest first, and the rest into one more: the rest repeats, and compresses
 * well.
 */
static inline void fxt_column_put_split(struct fxt_buffer *columns, unsigned int low_bytes, __u64 number)
{
	for (; low_bytes; low_bytes--, columns++, number >>= 8) {
		char *to = fxt_buffer_room(columns, 1);

		if (!to)
			return;
		*to = number;
		columns->length++;
	}
	fxt_column_put(columns, number);
}

/* The two low bytes of a time in ns are noise, so each has a column. */
#define FXT_COLUMNS_OF_TIME	3u

static inline void fxt_column_put_time(struct fxt_buffer *columns, __u64 ns)
{
	fxt_column_put_split(columns, FXT_COLUMNS_OF_TIME - 1, ns);
}

/* Levels of compression: columns of scheduling repeat little beyond their layout, so a fast one is as good. */
enum fxt_columns_level {
	FXT_COLUMNS_FAST = 7,
	FXT_COLUMNS_SMALL = 10,
};

/*
 * Appends the columns to a buffer, and empties them: the number of columns, the length of each, and their bytes,
 * deflated without a header (RFC 1951).  0 or -ENOMEM.
 */
int fxt_columns_pack(struct fxt_buffer *to, struct fxt_buffer *columns, unsigned int count,
		     enum fxt_columns_level level);

#endif
