// SPDX-License-Identifier: GPL-2.0-only
/* Log-linear histograms of durations. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/statistics/histogram.h"
#include "store/hash.h"

#define MILLION		1000000u

#define COUNT_BITS	48u
#define COUNT_MASK	((1ULL << COUNT_BITS) - 1)
#define FIRST_BITS	3u	/* log2 of the first table's slots */
/* Buckets of all values: those of the greatest octave come last. */
#define BUCKETS		((64 - FXT_HISTOGRAM_STEP_BITS + 1) * FXT_HISTOGRAM_STEPS)

static __u64 lower_of(unsigned int bucket)
{
	unsigned int octave = bucket >> FXT_HISTOGRAM_STEP_BITS;

	if (!octave)
		return bucket;
	return (__u64)(FXT_HISTOGRAM_STEPS + bucket % FXT_HISTOGRAM_STEPS) << (octave - 1);
}

static __u64 width_of(unsigned int bucket)
{
	unsigned int octave = bucket >> FXT_HISTOGRAM_STEP_BITS;

	return octave ? 1ULL << (octave - 1) : 1;
}

/* Returns the position of a bucket, unless another bucket occupies it. */
static size_t place_of(const struct fxt_histogram *h, unsigned int bucket)
{
	return bucket * FXT_GOLDEN >> (64 - h->bits);
}

/* Returns the slot of a bucket, or the free slot for it. */
static __u64 *slot_of(const struct fxt_histogram *h, unsigned int bucket)
{
	size_t mask = ((size_t)1 << h->bits) - 1;
	size_t at = place_of(h, bucket);

	while (h->slots[at] && h->slots[at] >> COUNT_BITS != bucket)
		at = (at + 1) & mask;
	return &h->slots[at];
}

static size_t table_bytes(const struct fxt_histogram *h)
{
	return sizeof(*h->slots) << h->bits;
}

static bool has_room(const struct fxt_histogram *h, size_t count)
{
	return h->slots && fxt_hash_has_room(h->bits, count);
}

/* Grows the table by one step at least, and to a capacity of count buckets. */
static int grow(struct fxt_histogram *h, struct fxt_spill *spill, size_t count)
{
	struct fxt_histogram more = *h;
	size_t i;

	more.bits = h->slots ? h->bits + 1u : FIRST_BITS;
	while (!fxt_hash_has_room(more.bits, count))
		more.bits++;
	more.slots = fxt_spill_alloc(spill, table_bytes(&more));
	if (!more.slots)
		return -ENOMEM;
	if (h->slots) {
		for (i = 0; i < (size_t)1 << h->bits; i++)
			if (h->slots[i])
				*slot_of(&more, h->slots[i] >> COUNT_BITS) = h->slots[i];
		fxt_spill_free(spill, h->slots, table_bytes(h));
	}
	*h = more;
	return 0;
}

static int count_add(struct fxt_histogram *h, struct fxt_spill *spill, unsigned int bucket,
		     __u64 count)
{
	__u64 *slot;

	if (!has_room(h, h->used + 1ul)) {
		int err = grow(h, spill, h->used + 1ul);

		if (err)
			return err;
	}
	slot = slot_of(h, bucket);
	h->used += !*slot;
	*slot = (__u64)bucket << COUNT_BITS | ((*slot & COUNT_MASK) + count);
	return 0;
}

int fxt_histogram_settle(struct fxt_histogram *h, struct fxt_spill *spill)
{
	unsigned int i;
	int err = 0;

	if (h->slots && h->recent_count) {
		for (i = 0; i < h->recent_count; i++)
			__builtin_prefetch(&h->slots[place_of(h, h->recent[i])], 1);
	}
	for (i = 0; i < h->recent_count && !err; i++) {
		__u64 *slot = h->slots ? &h->slots[place_of(h, h->recent[i])] : NULL;

		if (slot && *slot && *slot >> COUNT_BITS == h->recent[i])
			++*slot;
		else
			err = count_add(h, spill, h->recent[i], 1);
	}
	h->recent_count = 0;
	return err;
}

int fxt_histogram_merge(struct fxt_histogram *h, struct fxt_spill *spill,
			const struct fxt_histogram *other)
{
	size_t i, count = (size_t)h->used + other->used;
	/* The buckets come in the order of their slots: in a smaller table, most of them would collide. */
	int err = !other->used || has_room(h, count) ? 0 : grow(h, spill, count);

	h->count += other->count;
	h->sum += other->sum;
	if (other->max > h->max)
		h->max = other->max;
	for (i = 0; other->slots && !err && i < (size_t)1 << other->bits; i++) {
		__u64 slot;

		slot = other->slots[i];
		if (slot)
			err = count_add(h, spill, slot >> COUNT_BITS, slot & COUNT_MASK);
	}
	return err;
}

void fxt_histogram_uninit(struct fxt_histogram *h, struct fxt_spill *spill)
{
	if (h->slots)
		fxt_spill_free(spill, h->slots, table_bytes(h));
	*h = (struct fxt_histogram){ 0 };
}

struct fxt_histogram_bucket *fxt_histogram_buckets(const struct fxt_histogram *h)
{
	struct fxt_histogram_bucket *buckets = h->used ? calloc(h->used, sizeof(*buckets)) : NULL, *b = buckets;
	__u64 used[BUCKETS / 64] = { 0 }, rest;
	unsigned int word, bucket;
	size_t i;

	if (!buckets)
		return NULL;
	for (i = 0; i < (size_t)1 << h->bits; i++) {
		bucket = h->slots[i] >> COUNT_BITS;
		if (h->slots[i])
			used[bucket / 64] |= 1ULL << bucket % 64;
	}
	for (word = 0; word < BUCKETS / 64; word++)
		for (rest = used[word]; rest; rest &= rest - 1) {
			bucket = 64 * word + (unsigned int)__builtin_ctzll(rest);
			b->lower = lower_of(bucket);
			b->upper = b->lower + width_of(bucket) - 1;
			b++->count = *slot_of(h, bucket) & COUNT_MASK;
		}
	return buckets;
}

__u64 fxt_histogram_quantile_ppm(const struct fxt_histogram *h, const struct fxt_histogram_bucket *b, unsigned int ppm)
{
	__u64 wanted = h->count / MILLION * ppm + (h->count % MILLION * ppm + MILLION - 1) / MILLION;
	__u64 count = 0, middle;
	unsigned int i;

	for (i = 0; b && i < h->used; i++) {
		count += b[i].count;
		if (count < wanted)
			continue;
		middle = b[i].lower + (b[i].upper - b[i].lower) / 2;
		return middle < h->max ? middle : h->max;
	}
	return 0;
}
