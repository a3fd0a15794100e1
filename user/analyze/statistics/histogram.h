/* SPDX-License-Identifier: GPL-2.0-only */
/* Log-linear histograms of durations: 64 buckets an octave, so that a quantile is within 1 %. */
#ifndef FXT_ANALYZE_STATISTICS_HISTOGRAM_H
#define FXT_ANALYZE_STATISTICS_HISTOGRAM_H

#include "store/spill.h"

#define FXT_HISTOGRAM_RECENT	22u

/* Values below 2^STEP_BITS have a bucket each; each octave above has as many. */
#define FXT_HISTOGRAM_STEP_BITS	6u
#define FXT_HISTOGRAM_STEPS	(1u << FXT_HISTOGRAM_STEP_BITS)

/*
 * All zero is empty; count, sum and max are exact.  The buckets are a hash table of
 * those that are not empty, as most histograms have few.  The last values are added to it
 * together: it is rarely in the cache.
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

/* Puts the last values into the table, as what follows wants it.  0 or -ENOMEM. */
int fxt_histogram_settle(struct fxt_histogram *h, struct fxt_spill *spill);

static inline unsigned int fxt_histogram_bucket(__u64 value)
{
	unsigned int octave;

	if (value < FXT_HISTOGRAM_STEPS)
		return value;
	octave = 63 - __builtin_clzll(value) - FXT_HISTOGRAM_STEP_BITS;
	return (octave << FXT_HISTOGRAM_STEP_BITS) + (unsigned int)(value >> octave);
}

/* 0 or -ENOMEM.  spill: where the buckets are, the same in all calls; NULL: on the heap. */
static inline int fxt_histogram_add(struct fxt_histogram *h, struct fxt_spill *spill, __u64 value)
{
	h->count++;
	h->sum += value;
	if (value > h->max)
		h->max = value;
	h->recent[h->recent_count++] = fxt_histogram_bucket(value);
	return h->recent_count == FXT_HISTOGRAM_RECENT ? fxt_histogram_settle(h, spill) : 0;
}

/* Adds all of another, which is settled. */
int fxt_histogram_merge(struct fxt_histogram *h, struct fxt_spill *spill,
			const struct fxt_histogram *other);
void fxt_histogram_uninit(struct fxt_histogram *h, struct fxt_spill *spill);

/* Its buckets that are not empty, in ascending order. */
struct fxt_histogram_bucket {
	__u64 lower, upper;	/* upper is the greatest value in it */
	__u64 count;
};

/* A heap array of h->used buckets, or NULL where it is empty, or no memory is left. */
struct fxt_histogram_bucket *fxt_histogram_buckets(const struct fxt_histogram *h);

/*
 * The least value that a share of all, in millionths, is not above: the middle of its
 * bucket, at most max.  0 where there is none.  buckets: of fxt_histogram_buckets().
 */
__u64 fxt_histogram_quantile_ppm(const struct fxt_histogram *h, const struct fxt_histogram_bucket *buckets,
				 unsigned int ppm);

/* The same, of a share in 1/1000. */
static inline __u64 fxt_histogram_quantile(const struct fxt_histogram *h, const struct fxt_histogram_bucket *buckets,
					   unsigned int permille)
{
	return fxt_histogram_quantile_ppm(h, buckets, 1000 * permille);
}

#endif
