// SPDX-License-Identifier: GPL-2.0-only
/* The order of a block's rows: by kind, track and time. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "page/order.h"

#define DIGIT_BITS	11u
#define DIGITS		(1u << DIGIT_BITS)

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

static __u64 key_of(const struct fxt_page_row *row)
{
	return (__u64)row->kind << 32 | row->track;
}

/* Copies the rows in the order of one digit of their keys; rows of one digit keep their order. */
static void digit_sort(struct fxt_page_row *to, const struct fxt_page_row *from, size_t count, unsigned int shift)
{
	size_t next[DIGITS + 1] = { 0 }, i;

	for (i = 0; i < count; i++)
		next[(key_of(&from[i]) >> shift & (DIGITS - 1)) + 1]++;
	for (i = 1; i < DIGITS; i++)
		next[i] += next[i - 1];
	for (i = 0; i < count; i++)
		to[next[key_of(&from[i]) >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts each track's rows by time, where they aren't in this order already. */
static void tracks_sort(struct fxt_page_row *rows, size_t count)
{
	size_t first, end;

	for (first = 0; first < count; first = end) {
		bool sorted = true;

		for (end = first + 1; end < count && key_of(&rows[end]) == key_of(&rows[first]); end++)
			sorted &= compare_rows(&rows[end - 1], &rows[end]) <= 0;
		if (!sorted)
			qsort(&rows[first], end - first, sizeof(*rows), compare_rows);
	}
}

int fxt_page_rows_sort(struct fxt_page_row *rows, size_t count)
{
	struct fxt_page_row *spare = malloc((count + 1) * sizeof(*spare)), *from = rows, *to = spare, *other;
	unsigned int shift;
	__u64 differ = 0;
	size_t i;

	if (!spare)
		return -ENOMEM;
	for (i = 1; i < count; i++)
		differ |= key_of(&rows[i]) ^ key_of(&rows[0]);
	for (shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!(differ >> shift & (DIGITS - 1)))
			continue;
		digit_sort(to, from, count, shift);
		other = from;
		from = to;
		to = other;
	}
	if (from != rows)
		memcpy(rows, from, count * sizeof(*rows));
	free(spare);
	tracks_sort(rows, count);
	return 0;
}

ssize_t fxt_page_numbers_sort(__u32 *numbers, size_t count)
{
	__u32 most = 0;
	__u64 *present;
	size_t i, kept = 0;

	for (i = 0; i < count; i++)
		most = numbers[i] > most ? numbers[i] : most;
	present = calloc(most / 64 + 1, sizeof(*present));
	if (!present)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		present[numbers[i] / 64] |= 1ULL << numbers[i] % 64;
	for (i = 0; i <= most / 64; i++) {
		__u64 bits;

		for (bits = present[i]; bits; bits &= bits - 1)
			numbers[kept++] = 64 * i + __builtin_ctzll(bits);
	}
	free(present);
	return kept;
}
