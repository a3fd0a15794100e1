/* SPDX-License-Identifier: GPL-2.0-only */
/* Columns of numbers: variable-length integers, gathered in one text and deflated. */
#ifndef FXT_PAGE_COLUMNS_H
#define FXT_PAGE_COLUMNS_H

#include <linux/types.h>

#include "util/buffer.h"

/* Seven bits a byte, the lowest first; the eighth says that more follow. */
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

/* Small numbers of either sign are small. */
static inline void fxt_column_put_signed(struct fxt_buffer *column, __s64 number)
{
	fxt_column_put(column, (__u64)number << 1 ^ (__u64)(number >> 63));
}

/* The low byte in one column and the rest in another: the rest repeats, and packs well. */
static inline void fxt_column_put_split(struct fxt_buffer columns[2], __u64 number)
{
	char *to = fxt_buffer_room(&columns[0], 1);

	if (to) {
		*to = number;
		columns[0].length++;
	}
	fxt_column_put(&columns[1], number >> 8);
}

/*
 * Appends the columns to a buffer: how many there are, the length of each, their bytes; and makes
 * them empty.  0 or -ENOMEM.
 */
int fxt_columns_join(struct fxt_buffer *to, struct fxt_buffer *columns, unsigned int count);

/* Appends bytes, deflated without a header (RFC 1951).  0 or -ENOMEM. */
int fxt_columns_deflate(struct fxt_buffer *to, const struct fxt_buffer *from);

#endif
