// SPDX-License-Identifier: GPL-2.0-only
/* Sums by culprit the time that a thread waited for a CPU. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/blame/culprits.h"
#include "store/hash.h"

#define FIRST_BITS	2u	/* log2 of the first table's slots */

/* Uses an array when at least 1 in DENSE_SHARE suspects is present; returns to a hash table below 1 in SPARSE_SHARE. */
#define DENSE_SHARE	6u
#define SPARSE_SHARE	16u

/* Uses an array also if at least DENSE_USED of at most DENSE_ROOM suspects are present. */
#define DENSE_ROOM	1024u
#define DENSE_USED	24u

/* Uses an array at once if at least DENSE_USED sums, and 1 in EXPECT_SHARE suspects, are expected. */
#define EXPECT_SHARE	4u

/*
 * Returns the slot of a number, or the free slot for it.  The tool assigns the numbers
 * consecutively: no input can choose them.
 */
static struct fxt_culprit_slot *slot_of(const struct fxt_culprits *c, __u32 number)
{
	size_t mask = ((size_t)1 << c->bits) - 1;
	size_t at = (number + 1ULL) * FXT_GOLDEN >> (64 - c->bits);

	while (c->slots[at].number && c->slots[at].number != number + 1ULL)
		at = (at + 1) & mask;
	return &c->slots[at];
}

/* Returns whether a hash table has capacity for count sums. */
static bool has_room(const struct fxt_culprits *c, size_t count)
{
	return c->slots && fxt_hash_has_room(c->bits, count);
}

static size_t bytes_of(const struct fxt_culprits *c)
{
	return c->room ? c->room * sizeof(*c->array) : sizeof(*c->slots) << c->bits;
}

/* Gets the number and the ns at an index; returns false after the last index. */
static bool place_get(const struct fxt_culprits *c, size_t at, __u32 *number, __u64 *ns)
{
	const struct fxt_culprit_slot *slot;
	const __u64 *sum;

	if (c->room) {
		if (at >= c->room)
			return false;
		sum = &c->array[at];
		*number = at;
		*ns = *sum;
		return true;
	}
	if (!c->slots || at >> c->bits)
		return false;
	slot = &c->slots[at];
	*number = slot->number - 1;
	*ns = slot->number ? slot->ns : 0;
	return true;
}

bool fxt_culprits_next(const struct fxt_culprits *c, size_t *at, __u32 *number, __u64 *ns)
{
	while (place_get(c, *at, number, ns)) {
		++*at;
		if (*ns)
			return true;
	}
	return false;
}

static void put(struct fxt_culprits *c, __u32 number, __u64 ns)
{
	struct fxt_culprit_slot *slot;

	if (c->room) {
		c->array[number] += ns;
	} else {
		slot = slot_of(c, number);
		c->used += !slot->number;
		slot->number = number + 1ULL;
		slot->ns += ns;
	}
	c->ns += ns;
}

__u64 fxt_culprits_get(const struct fxt_culprits *c, __u32 number)
{
	if (c->room)
		return number < c->room ? c->array[number] : 0;
	return c->slots ? slot_of(c, number)->ns : 0;
}

/* Returns the capacity of an array for count suspects, and some later ones. */
static __u32 room_of(__u32 count)
{
	return count + count / 4 + 1;
}

__u32 fxt_culprits_count(const struct fxt_culprits *c)
{
	__u32 number, count = 0;
	size_t at = 0;
	__u64 ns;

	while (fxt_culprits_next(c, &at, &number, &ns))
		count++;
	return count;
}

/*
 * Moves all sums to an array or a hash table for count suspects, with space for at least one and up to some more sums.
 */
static int reform(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, size_t some)
{
	__u32 number, used = fxt_culprits_count(c);
	struct fxt_culprits more = { 0 };
	size_t at = 0;
	__u64 ns;

	if ((used + 1) * (c->room ? SPARSE_SHARE : DENSE_SHARE) > count ||
	    (used >= DENSE_USED && count <= DENSE_ROOM)) {
		more.room = room_of(count);
	} else {
		more.bits = FIRST_BITS;
		while (2 * (used + some) > 1ul << more.bits)
			more.bits++;
	}
	more.slots = fxt_spill_alloc(spill, bytes_of(&more));
	if (!more.slots)
		return -ENOMEM;
	while (fxt_culprits_next(c, &at, &number, &ns))
		put(&more, number, ns);
	fxt_culprits_add_others(&more, c->others, c->other_count);
	if (c->slots)
		fxt_spill_free(spill, c->slots, bytes_of(c));
	*c = more;
	return 0;
}

int fxt_culprits_expect(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, size_t sums)
{
	if (c->slots || count > DENSE_ROOM || sums < DENSE_USED || sums < count / EXPECT_SHARE)
		return 0;
	c->room = room_of(count);
	c->array = fxt_spill_alloc(spill, bytes_of(c));
	if (c->array)
		return 0;
	c->room = 0;
	return -ENOMEM;
}

int fxt_culprits_add_any(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, __u32 number, __u64 ns)
{
	int err = 0;

	if (!ns)
		return 0;
	if (c->room ? number >= c->room : !has_room(c, c->used + 1ul))
		err = reform(c, spill, count, 1);
	if (!err)
		put(c, number, ns);
	return err;
}

/* Returns the number of sums that both have as flat arrays; 0 if they aren't arrays. */
static __u32 flat_room(const struct fxt_culprits *c, const struct fxt_culprits *other)
{
	return c->room < other->room ? c->room : other->room;
}

/* Merges the first room sums of flat arrays. */
static void flat_merge(struct fxt_culprits *c, const struct fxt_culprits *other, __u32 room)
{
	const __u64 *from = other->array;
	__u64 *to = c->array, sum = 0;
	__u32 i;

	for (i = 0; i < room; i++) {
		to[i] += from[i];
		sum += from[i];
	}
	c->ns += sum;
}

static void flat_take(struct fxt_culprits *c, const struct fxt_culprits *other, __u32 room)
{
	const __u64 *from = other->array;
	__u64 *to = c->array, sum = 0;
	__u32 i;

	for (i = 0; i < room; i++) {
		to[i] -= from[i];
		sum += from[i];
	}
	c->ns -= sum;
}

int fxt_culprits_merge(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count,
		       const struct fxt_culprits *other)
{
	size_t at = flat_room(c, other);
	__u32 number;
	__u64 ns;
	int err = 0;

	if (!other->ns)
		return 0;
	flat_merge(c, other, at);
	/* The sums come in the order of their slots: in a smaller table, most of them would collide. */
	if (!c->room && !other->room && !has_room(c, (size_t)c->used + other->used))
		err = reform(c, spill, count, other->used);
	while (!err && fxt_culprits_next(other, &at, &number, &ns))
		err = fxt_culprits_add(c, spill, count, number, ns);
	return err;
}

void fxt_culprits_take(struct fxt_culprits *c, const struct fxt_culprits *other)
{
	size_t at = flat_room(c, other);
	__u32 number;
	__u64 ns;

	flat_take(c, other, at);
	while (fxt_culprits_next(other, &at, &number, &ns)) {
		__u64 *sum = c->room ? &c->array[number] : &slot_of(c, number)->ns;

		*sum -= ns;
		c->ns -= ns;
	}
}

void fxt_culprits_add_others(struct fxt_culprits *c, __u64 ns, __u32 count)
{
	c->ns += ns;
	c->others += ns;
	c->other_count += count;
}

void fxt_culprits_clear(struct fxt_culprits *c, struct fxt_spill *spill)
{
	if (c->slots)
		fxt_spill_free(spill, c->slots, bytes_of(c));
	*c = (struct fxt_culprits){ 0 };
}

static int descending(const void *a, const void *b)
{
	const struct fxt_culprit *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (int)x->kind - (int)y->kind;
}

/* Sorts the greatest culprits to the front, equal ones in their order; the others are lost. */
static void greatest_first(struct fxt_culprit *of, __u32 count, __u32 most)
{
	__u32 i, at;

	for (i = 1; i < count; i++) {
		struct fxt_culprit one = of[i];

		if (i >= most && descending(&of[most - 1], &one) <= 0)
			continue;
		for (at = i < most ? i : most - 1; at && descending(&of[at - 1], &one) > 0; at--)
			of[at] = of[at - 1];
		of[at] = one;
	}
}

static int ascending(const void *a, const void *b)
{
	const __u32 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Returns the numbers of the sums in their order; with others, sorted by number: few sums
 * are left, and no table decides the order.
 */
static __u32 *numbers_of(const struct fxt_culprits *c, __u32 *count)
{
	__u32 used = fxt_culprits_count(c), *numbers = used ? calloc(used, sizeof(*numbers)) : NULL;
	size_t at = 0;
	__u64 ns;

	*count = 0;
	while (numbers && fxt_culprits_next(c, &at, &numbers[*count], &ns) && ++*count < used)
		;
	if (numbers && c->others)
		qsort(numbers, used, sizeof(*numbers), ascending);
	return numbers;
}

struct fxt_culprit *fxt_culprits_sorted(const struct fxt_culprits *c,
					const struct fxt_suspects *s, unsigned int most, __u32 *count)
{
	struct fxt_culprit *sorted;
	__u32 *numbers, i;

	*count = 0;
	numbers = numbers_of(c, count);
	sorted = numbers ? calloc(*count, sizeof(*sorted)) : NULL;
	for (i = 0; sorted && i < *count; i++) {
		sorted[i] = s->of[numbers[i]];
		sorted[i].ns = fxt_culprits_get(c, numbers[i]);
	}
	free(numbers);
	if (!sorted)
		*count = 0;
	else if ((most && most < *count) || c->others)
		greatest_first(sorted, *count, c->others ? *count : most);
	else
		qsort(sorted, *count, sizeof(*sorted), descending);
	return sorted;
}
