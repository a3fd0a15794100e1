// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the greatest sums of many runs in bounded memory: Misra and Gries, "Finding repeated
 * elements", 1982; merging of summaries: Agarwal et al., "Mergeable summaries", 2012.  All sums
 * together lose at least FXT_BLAME_GREATEST times lost, so lost is small compared with their time.
 */
#include <string.h>

#include "analyze/blame/index.h"

#define BOTH	(2 * FXT_BLAME_GREATEST)

/* Returns the number that would be at an index in descending order; reorders the numbers. */
static __u64 greatest_find(__u64 *of, int count, int number)
{
	int from = 0, to = count - 1, left, right;

	while (from < to) {
		__u64 pivot = of[from + (to - from) / 2], other;

		for (left = from, right = to; left <= right;) {
			while (of[left] > pivot)
				left++;
			while (of[right] < pivot)
				right--;
			if (left > right)
				break;
			other = of[left];
			of[left++] = of[right];
			of[right--] = other;
		}
		if (number <= right)
			to = right;
		else if (number >= left)
			from = left;
		else
			break;
	}
	return of[number];
}

/* Keeps the greatest of the sums, minus the greatest of the others. */
static void reduce(struct fxt_blame_summary *to, const struct fxt_blame_sum *of, unsigned int count)
{
	__u64 ns[BOTH], less = 0;
	unsigned int i;

	if (count > FXT_BLAME_GREATEST) {
		for (i = 0; i < count; i++)
			ns[i] = of[i].ns;
		less = greatest_find(ns, count, FXT_BLAME_GREATEST);
	}
	to->lost += less;
	to->used = 0;
	for (i = 0; i < count; i++) {
		if (of[i].ns <= less)
			continue;
		to->of[to->used] = of[i];
		to->of[to->used++].ns -= less;
	}
}

void fxt_blame_summary_merge(struct fxt_blame_summary *to, const struct fxt_blame_summary *from)
{
	const struct fxt_blame_sum *a = to->of, *b = from->of;
	const struct fxt_blame_sum *a_end = a + to->used, *b_end = b + from->used;
	struct fxt_blame_sum both[BOTH];
	unsigned int count = 0;

	while (a < a_end || b < b_end) {
		if (b == b_end || (a < a_end && a->color < b->color)) {
			both[count++] = *a++;
		} else {
			both[count] = *b++;
			if (a < a_end && a->color == both[count].color)
				both[count].ns += a++->ns;
			count++;
		}
	}
	to->lost += from->lost;
	reduce(to, both, count);
}
