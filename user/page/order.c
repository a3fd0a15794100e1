// SPDX-License-Identifier: GPL-2.0-only
/* The order of a block's rows: by kind, track and time. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "page/order.h"

#define KIND_BITS	3u
_Static_assert(FXT_PAGE_KINDS <= 1u << KIND_BITS, "a kind fits");

/* The most bits of a digit: mostly, kinds and tracks are one digit. */
#define DIGIT_BITS	16u

static int compare_numbers(__u64 a, __u64 b)
{
	return a < b ? -1 : a > b;
}

/* Compares two rows of a track. */
static int compare_rows(const void *a, const void *b)
{
	const struct fxt_page_row *one = a, *other = b;
	int by = compare_numbers(one->from, other->from);

	/* The outer slice first. */
	if (!by && one->kind == FXT_PAGE_SLICE)
		by = compare_numbers(one->depth, other->depth);
	return by ? by : compare_numbers(one->to, other->to);
}

static bool same_track(const struct fxt_page_row *row, const struct fxt_page_row *other)
{
	return row->track == other->track && row->kind == other->kind;
}

/* Digits of a row's kind and track, as one number of only as many bits as the rows need. */
struct digits {
	unsigned int track_bits, bits;	/* bits: of a digit */
	unsigned int count;
	__u32 *next;			/* by a digit's value: index of its next row */
};

static __u32 digit_of(const struct digits *d, const struct fxt_page_row *row, unsigned int number)
{
	__u64 key = (__u64)row->kind << d->track_bits | row->track;

	return key >> number * d->bits & ((1u << d->bits) - 1);
}

static int digits_init(struct digits *d, const struct fxt_page_row *rows, size_t count)
{
	unsigned int bits;
	__u32 tracks = 1;
	size_t i;

	for (i = 0; i < count; i++)
		tracks |= rows[i].track;
	d->track_bits = 32 - __builtin_clz(tracks);
	bits = d->track_bits + KIND_BITS;
	d->count = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
	d->bits = (bits + d->count - 1) / d->count;
	d->next = malloc(sizeof(*d->next) << d->bits);
	return d->next ? 0 : -ENOMEM;
}

/* Copies the rows in the order of one digit; rows of one digit keep their order. */
static void digit_sort(const struct digits *d, unsigned int number, struct fxt_page_row *to,
		       const struct fxt_page_row *from, size_t count)
{
	__u32 first = 0, of;
	size_t i;

	memset(d->next, 0, sizeof(*d->next) << d->bits);
	for (i = 0; i < count; i++)
		d->next[digit_of(d, &from[i], number)]++;
	for (i = 0; i < 1u << d->bits; i++) {
		of = d->next[i];
		d->next[i] = first;
		first += of;
	}
	for (i = 0; i < count; i++)
		to[d->next[digit_of(d, &from[i], number)]++] = from[i];
}

/* Sorts each track's rows by time, where they aren't in this order already. */
static void tracks_sort(struct fxt_page_row *rows, size_t count)
{
	size_t first, end;

	for (first = 0; first < count; first = end) {
		bool sorted = true;

		for (end = first + 1; end < count && same_track(&rows[end], &rows[first]); end++)
			sorted &= compare_rows(&rows[end - 1], &rows[end]) <= 0;
		if (!sorted)
			qsort(&rows[first], end - first, sizeof(*rows), compare_rows);
	}
}

int fxt_page_rows_sort(struct fxt_page_row **rows, size_t count)
{
	struct fxt_page_row *spare = malloc((count + 1) * sizeof(*spare)), *sorted;
	struct digits digits;
	unsigned int i;
	int err = spare && count < UINT32_MAX ? digits_init(&digits, *rows, count) : -ENOMEM;

	if (err) {
		free(spare);
		return err;
	}
	for (i = 0; i < digits.count; i++) {
		digit_sort(&digits, i, spare, *rows, count);
		sorted = spare;
		spare = *rows;
		*rows = sorted;
	}
	free(digits.next);
	free(spare);
	tracks_sort(*rows, count);
	return 0;
}
