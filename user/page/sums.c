// SPDX-License-Identifier: GPL-2.0-only
/* Summaries of a track by level. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "page/columns.h"
#include "page/sums.h"
#include "store/hash.h"

/* Rows for each bin of the finest level; its most and least bins; most bins of the coarsest level. */
#define TOP_ROWS	16u
#define PHASE_ROWS	32u
#define TOP_MAX		(1u << 16)
#define PHASE_MAX	(1u << 15)
#define TOP_MIN		256u
#define PHASE_MIN	64u
#define COARSEST	256u

/* Bins of a level that a bin of the next level covers. */
#define LEVEL_SHIFT	2u
#define LEVEL_BINS	(1u << LEVEL_SHIFT)

/* The first TOPS_MAX tasks of a bin count. */
#define TOPS_MAX	1024u

static const unsigned int values_of[] = { 0, 2, 4, 1, 2 };

/* Returns log2 of the bins' width in ns, for less than most bins; the last bin may be only partly in the span. */
static unsigned int shift_of(__u64 span, __u64 most)
{
	unsigned int shift = 0;

	while (span >> shift >= most)
		shift++;
	return shift;
}

static __u64 bins_max(enum fxt_page_sums_kind kind, __u64 rows)
{
	bool top = kind == FXT_PAGE_SUMS_TOP;
	__u64 bins = rows / (top ? TOP_ROWS : PHASE_ROWS), least = top ? TOP_MIN : PHASE_MIN;
	__u64 most = top ? TOP_MAX : PHASE_MAX;

	return bins < least ? least : bins > most ? most : bins;
}

int fxt_page_sums_init(struct fxt_page_sums *s, struct fxt_spill *spill, enum fxt_page_sums_kind kind, __u64 rows,
		       __u64 span)
{
	unsigned int shift = shift_of(span, bins_max(kind, rows));
	struct fxt_page_level *level;

	*s = (struct fxt_page_sums){ .kind = kind, .values = values_of[kind] };
	do {
		level = &s->level[s->levels++];
		level->shift = shift;
		level->bins = (span >> shift) + 1;
		level->bytes = fxt_spill_alloc(spill, (size_t)level->bins * s->values);
		if (kind == FXT_PAGE_SUMS_TOP)
			level->top = fxt_spill_alloc(spill, level->bins * sizeof(*level->top));
		if (!level->bytes || (kind == FXT_PAGE_SUMS_TOP && !level->top))
			return -ENOMEM;
		shift += LEVEL_SHIFT;
	} while (level->bins > COARSEST && s->levels < FXT_PAGE_LEVELS &&
		 (kind == FXT_PAGE_SUMS_TOP || kind == FXT_PAGE_SUMS_PHASES));
	return 0;
}

void fxt_page_sums_uninit(struct fxt_page_sums *s, struct fxt_spill *spill)
{
	unsigned int i;

	for (i = 0; i < s->levels; i++) {
		struct fxt_page_level *level = &s->level[i];

		free(level->tops.slots);
		fxt_spill_free(spill, level->bytes, (size_t)level->bins * s->values);
		fxt_spill_free(spill, level->top, level->bins * sizeof(*level->top));
	}
}

static __u8 byte_of(__u64 sum, unsigned int shift)
{
	__u64 byte = (__u64)(((unsigned __int128)sum * 255 + (1ULL << shift >> 1)) >> shift);

	return !sum ? 0 : byte > 255 ? 255 : byte ? byte : 1;
}

/* Returns the task with most time. */
static __u32 tops_most(const struct fxt_page_tops *t)
{
	struct fxt_page_top most = { 0 };
	size_t i;

	for (i = 0; i < (size_t)1 << t->bits; i++)
		if (t->slots[i].ns > most.ns || (t->slots[i].ns == most.ns && t->slots[i].what > most.what))
			most = t->slots[i];
	return most.what;
}

static struct fxt_page_top *tops_find(struct fxt_page_tops *t, __u32 what)
{
	size_t mask = ((size_t)1 << t->bits) - 1, i = (what * FXT_GOLDEN) >> (64 - t->bits);

	while (t->slots[i].what && t->slots[i].what != what)
		i = (i + 1) & mask;
	return &t->slots[i];
}

static int tops_grow(struct fxt_page_tops *t)
{
	struct fxt_page_tops more = { .bits = t->slots ? t->bits + 1 : 3, .used = t->used };
	size_t i;

	more.slots = calloc((size_t)1 << more.bits, sizeof(*more.slots));
	if (!more.slots)
		return -ENOMEM;
	for (i = 0; t->slots && i < (size_t)1 << t->bits; i++)
		if (t->slots[i].what)
			*tops_find(&more, t->slots[i].what) = t->slots[i];
	free(t->slots);
	*t = more;
	return 0;
}

static int tops_add(struct fxt_page_tops *t, __u32 what, __u64 ns)
{
	struct fxt_page_top *top;

	if (!t->slots || 2 * t->used >= (size_t)1 << t->bits) {
		int err = tops_grow(t);

		if (err)
			return err;
	}
	top = tops_find(t, what);
	if (!top->what && t->used == TOPS_MAX)
		return 0;
	t->used += !top->what;
	top->what = what;
	top->ns += ns;
	return 0;
}

/* Adds a bin's tasks to those of the next level's bin, and empties the table. */
static int tops_move(struct fxt_page_tops *t, struct fxt_page_tops *next)
{
	size_t i;
	int err = 0;

	for (i = 0; next && i < (size_t)1 << t->bits && !err; i++)
		if (t->slots[i].what)
			err = tops_add(next, t->slots[i].what, t->slots[i].ns);
	memset(t->slots, 0, sizeof(*t->slots) << t->bits);
	t->used = 0;
	return err;
}

/* Ends a bin, and adds its sums to the bin of the next level. */
static int bin_end(struct fxt_page_sums *s, unsigned int number)
{
	struct fxt_page_level *level = &s->level[number], *next = number + 1 < s->levels ? level + 1 : NULL;
	unsigned int i;
	int err = 0;

	if (next && next->at != level->at / LEVEL_BINS) {
		err = bin_end(s, number + 1);
		next->at = level->at / LEVEL_BINS;
	}
	for (i = 0; i < s->values; i++) {
		__u8 *byte = &level->bytes[(size_t)i * level->bins + level->at];

		if (!level->sum[i])
			continue;
		*byte = byte_of(level->sum[i], level->shift);
		if (next)
			next->sum[i] += level->sum[i];
		level->sum[i] = 0;
	}
	if (err || !level->tops.used)
		return err;
	level->top[level->at] = tops_most(&level->tops);
	return tops_move(&level->tops, next ? &next->tops : NULL);
}

int fxt_page_sums_add(struct fxt_page_sums *s, __u64 from, __u64 to, unsigned int value, __u32 what)
{
	struct fxt_page_level *level = &s->level[0];
	int err = 0;

	while (from < to && !err) {
		__u32 bin = from >> level->shift;
		__u64 end = (__u64)(bin + 1) << level->shift;

		/* The end overflows to 0 at the last possible bin. */
		if (!end || end > to)
			end = to;
		if (bin != level->at)
			err = bin_end(s, 0);
		level->at = bin;
		level->sum[value] += end - from;
		if (what && !err)
			err = tops_add(&level->tops, what, end - from);
		from = end;
	}
	return err;
}

void fxt_page_sums_moment(struct fxt_page_sums *s, __u64 at, __u8 step)
{
	struct fxt_page_level *level = &s->level[0];
	__u8 *low = &level->bytes[at >> level->shift], *high = low + level->bins;

	if (s->kind == FXT_PAGE_SUMS_COUNT) {
		*low += *low < 255;
		return;
	}
	if (!*low || step + 1 < *low)
		*low = step + 1;
	if (step + 1 > *high)
		*high = step + 1;
}

/* Appends bytes of the spill, a part of its window at a time. */
static void bytes_put(struct fxt_buffer *to, const __u8 *bytes, size_t count)
{
	size_t done, step;

	for (done = 0; done < count; done += step) {
		step = count - done < 4096 ? count - done : 4096;
		fxt_buffer_put(to, bytes + done, step);
	}
}

static void tops_put(struct fxt_buffer *to, const struct fxt_page_level *level)
{
	__u8 low;
	__u32 i;

	for (i = 0; i < level->bins; i++) {
		low = level->top[i];
		fxt_buffer_put(to, &low, 1);
	}
	for (i = 0; i < level->bins; i++)
		fxt_column_put(to, level->top[i] >> 8);
}

int fxt_page_sums_put(struct fxt_page_sums *s, struct fxt_buffer *to)
{
	unsigned int i;
	int err = 0;

	fxt_column_put(to, s->levels);
	for (i = 0; i < s->levels && !err; i++) {
		struct fxt_page_level *level = &s->level[i];

		if (s->kind == FXT_PAGE_SUMS_TOP || s->kind == FXT_PAGE_SUMS_PHASES)
			err = bin_end(s, i);
		fxt_column_put(to, level->shift);
		fxt_column_put(to, level->bins);
		bytes_put(to, level->bytes, (size_t)level->bins * s->values);
		if (level->top)
			tops_put(to, level);
	}
	return to->failed ? -ENOMEM : err;
}
