// SPDX-License-Identifier: GPL-2.0-only
/* Sorts sums of sleeps, and calculates their figures. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/reasons.h"
#include "util/array.h"

/* Returns the rank of a sum: kernel threads and unknown reasons come after other waits, and waits for work last. */
static unsigned int rank_of(const struct fxt_reason_sum *sum)
{
	if (sum->key.wait == FXT_WAIT_IDLE)
		return 2;
	return sum->key.wait == FXT_WAIT_UNKNOWN || fxt_reason_entry(&sum->reason) == FXT_ENTRY_KERNEL;
}

static int order(const void *a, const void *b)
{
	const struct fxt_reason_row *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->m != y->m)
		return x->m->tasks.machine < y->m->tasks.machine ? -1 : 1;
	return (x->sum->number > y->sum->number) - (x->sum->number < y->sum->number);
}

static int row_add(struct fxt_reason_rows *rows, const struct fxt_machine *m, struct fxt_reason_sum *sum)
{
	int err = fxt_histogram_settle(&sum->waits, m->spill);

	if (!err)
		err = fxt_array_more(rows->rows, rows->count);
	if (!err)
		rows->rows[rows->count++] = (struct fxt_reason_row){
			.sum = sum, .m = m, .ns = sum->ns, .rank = rank_of(sum),
		};
	return err;
}

int fxt_reason_rows_init(struct fxt_reason_rows *rows, struct fxt_reasons *reasons, __u32 count)
{
	struct fxt_reason_sum *sum;
	size_t at;
	int err = 0;
	__u32 i;

	*rows = (struct fxt_reason_rows){ 0 };
	for (i = 0; i < count && !err; i++)
		for (at = 0; !err && (sum = fxt_map_next(reasons[i].shown, &at));)
			err = sum->count ? row_add(rows, reasons[i].m, sum) : 0;
	if (!err && rows->count)
		qsort(rows->rows, rows->count, sizeof(*rows->rows), order);
	return err;
}

void fxt_reason_rows_uninit(struct fxt_reason_rows *rows)
{
	free(rows->rows);
}

int fxt_reason_figures_init(struct fxt_reason_figures *figures, const struct fxt_reason_sum *sum)
{
	struct fxt_histogram_bucket *buckets = fxt_histogram_buckets(&sum->waits);
	int err = sum->waits.used && !buckets ? -ENOMEM : 0;
	unsigned int i;

	*figures = (struct fxt_reason_figures){
		.p50 = fxt_histogram_quantile(&sum->waits, buckets, 500),
		.p99 = fxt_histogram_quantile(&sum->waits, buckets, 990),
		.holders = fxt_wakers_sorted(&sum->holders),
	};
	free(buckets);
	if (sum->holders.used && !figures->holders)
		err = -ENOMEM;
	for (i = 0; figures->holders && i < sum->holders.used; i++)
		figures->held += figures->holders[i].count;
	return err;
}

void fxt_reason_figures_uninit(struct fxt_reason_figures *figures)
{
	free(figures->holders);
}
