/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of a block's rows: by kind, track and time. */
#ifndef FXT_PAGE_ORDER_H
#define FXT_PAGE_ORDER_H

#include <stddef.h>

#include "page/rows.h"

/*
 * Sorts the rows, in memory that replaces theirs.  Rows of a track come in the order of their ends, which mostly is the
 * order that is wanted: they are counted and placed by kind and track, and compared only within a track.  Returns 0 or
 * -ENOMEM.
 */
int fxt_page_rows_sort(struct fxt_page_row **rows, size_t count);

#endif
