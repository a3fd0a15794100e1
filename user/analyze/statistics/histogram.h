/* SPDX-License-Identifier: GPL-2.0-only */
/* Log-linear histograms of durations, with 64 buckets per octave, so that a quantile is exact to 1 %. */
#ifndef FXT_ANALYZE_STATISTICS_HISTOGRAM_H
#define FXT_ANALYZE_STATISTICS_HISTOGRAM_H

#include "store/spill.h"

#define FXT_HISTOGRAM_RECENT	22u

/* Each value below 2^STEP_BITS has its own bucket; each octave above has as many buckets. */
#define FXT_HISTOGRAM_STEP_BITS	6u
#define FXT_HISTOGRAM_STEPS	(1u << FXT_HISTOGRAM_STEP_BITS)

/*
 * A histogram; all zero: empty.  count, sum and max are exact.  The buckets are a hash table without the empty ones,
 * as most histograms use few.  The last values are added to the table together, since it is rarely in the cache.
 */
struct fxt_histogram {
	__u64 count;
	__u64 sum;
	__u64 max;
	__u64 *slots;		/* bucket << 48 | count; 0: free */
	__u32 used;
	__u8 bits;		/* log2 of the number of slots */
	__u8 recent_count;
	__u16 recent[FXT_HISTOGRAM_RECENT];	/* buckets of values that are not in the table yet */
};

/* Adds the last values to the table, as the functions below require.  Returns 0 or -ENOMEM. */
int fxt_histogram_settle(struct fxt_histogram *h, struct fxt_spill *spill);

static inline unsigned int fxt_histogram_bucket(__u64 value)
{
	unsigned int octave;

	if (value < FXT_HISTOGRAM_STEPS)
		return value;
	octave = 63 - __builtin_clzll(value) - FXT_HISTOGRAM_STEP_BITS;
	return (octave << FXT_HISTOGRAM_STEP_BITS) + (unsigned int)(value >> octave);
}

/* Adds a value.  Returns 0 or -ENOMEM.  spill: memory of the buckets, the same in all calls; NULL: the heap. */
static inline int fxt_histogram_add(struct fxt_histogram *h, struct fxt_spill *spill, __u64 value)
{
	h->count++;
	h->sum += value;
	if (value > h->max)
		h->max = value;
	h->recent[h->recent_count++] = fxt_histogram_bucket(value);
	return h->recent_count == FXT_HISTOGRAM_RECENT ? fxt_histogram_settle(h, spill) : 0;
}

/* Adds another histogram, which is settled.  Returns 0 or -ENOMEM. */
int fxt_histogram_merge(struct fxt_histogram *h, struct fxt_spill *spill,
			const struct fxt_histogram *other);
void fxt_histogram_uninit(struct fxt_histogram *h, struct fxt_spill *spill);

/* A bucket that is not empty. */
struct fxt_histogram_bucket {
	__u64 lower, upper;	/* least and greatest value of the bucket */
	__u64 count;
};

/* Returns a heap array of the h->used buckets in ascending order; NULL if the histogram is empty, or without memory. */
struct fxt_histogram_bucket *fxt_histogram_buckets(const struct fxt_histogram *h);

/*
 * Returns a quantile, with the share in millionths: the middle of its bucket, at most max; 0
 * for an empty histogram.  buckets: result of fxt_histogram_buckets().
 */
__u64 fxt_histogram_quantile_ppm(const struct fxt_histogram *h, const struct fxt_histogram_bucket *buckets,
				 unsigned int ppm);

/* Returns a quantile, with the share in thousandths. */
static inline __u64 fxt_histogram_quantile(const struct fxt_histogram *h, const struct fxt_histogram_bucket *buckets,
					   unsigned int permille)
{
	return fxt_histogram_quantile_ppm(h, buckets, 1000 * permille);
}

#endif
