/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of a block's rows: by kind, track and time. */
#ifndef FXT_PAGE_ORDER_H
#define FXT_PAGE_ORDER_H

#include <sys/types.h>

#include "page/rows.h"

/*
 * Sorts the rows.  Rows of a track come in the order of their ends, which mostly is the order that is wanted: they are
 * counted and placed by kind and track, and compared only within a track.  Returns 0 or -ENOMEM.
 */
int fxt_page_rows_sort(struct fxt_page_row *rows, size_t count);

/* Sorts numbers and drops those that are there twice, in an array of that many; returns how many are left, or -ENOMEM. */
ssize_t fxt_page_numbers_sort(__u32 *numbers, size_t count);

#endif
