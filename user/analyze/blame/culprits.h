/* SPDX-License-Identifier: GPL-2.0-only */
/* What ran while a thread waited for a CPU, in sums. */
#ifndef FXT_ANALYZE_CULPRITS_H
#define FXT_ANALYZE_CULPRITS_H

#include "analyze/blame/suspects.h"

/*
 * Sums of ns by number; all zero is empty.  Few are a hash table, many of all an array: whichever
 * takes less.
 */
struct fxt_culprits {
	__u64 ns;		/* of all, others included */
	__u64 others;		/* ns of culprits without a sum of their own, none of which has more than any that has one */
	__u32 other_count;	/* number of such culprits; FXT_CULPRITS_UNCOUNTED: not known */
	__u32 used;		/* slots of a hash table */
	__u32 room;		/* of the array; 0: it is a hash table */
	union {
		__u64 *array;
		struct fxt_culprit_slot {
			__u64 number;	/* and one; 0: it is free */
			__u64 ns;
		} *slots;
	};
	unsigned int bits;	/* log2 of the number of slots */
};

#define FXT_CULPRITS_UNCOUNTED	(~(__u32)0)

/*
 * So many sums, of any suspects, will be added: an empty one may become an array at once.  For what is cleared soon:
 * if most are of the same few suspects, a hash table takes far less.  0 or -ENOMEM.
 */
int fxt_culprits_expect(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, size_t sums);

/* So many places hold all of its sums. */
static inline size_t fxt_culprits_places(const struct fxt_culprits *c)
{
	return c->room ? c->room : c->used;
}

/* Adds to one of a flat array that has room for it. */
static inline void fxt_culprits_array_add(struct fxt_culprits *c, __u32 number, __u64 ns)
{
	c->array[number] += ns;
	c->ns += ns;
}

/* Adds to one that the array has no room for, or that is in a hash table.  0 or -ENOMEM. */
int fxt_culprits_add_any(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, __u32 number, __u64 ns);

/* 0 or -ENOMEM; spill: where the sums are, the same in all calls; count: of all suspects so far. */
static inline int fxt_culprits_add(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, __u32 number,
				   __u64 ns)
{
	if (number >= c->room || !ns)
		return fxt_culprits_add_any(c, spill, count, number, ns);
	fxt_culprits_array_add(c, number, ns);
	return 0;
}

int fxt_culprits_merge(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count,
		       const struct fxt_culprits *other);

/* Takes another's away, all of which was added before. */
void fxt_culprits_take(struct fxt_culprits *c, const struct fxt_culprits *other);

/* The next sum that is not 0, in no order, from *at, which is 0 before the first; false behind the last. */
bool fxt_culprits_next(const struct fxt_culprits *c, size_t *at, __u32 *number, __u64 *ns);

/* The sum of a number; 0: it has none. */
__u64 fxt_culprits_get(const struct fxt_culprits *c, __u32 number);

/* So many sums are not 0: all places are read. */
__u32 fxt_culprits_count(const struct fxt_culprits *c);

/* Adds ns of so many culprits that have no sum of their own. */
void fxt_culprits_add_others(struct fxt_culprits *c, __u64 ns, __u32 count);

/* Makes it empty. */
void fxt_culprits_clear(struct fxt_culprits *c, struct fxt_spill *spill);

/*
 * A heap array of culprits, the greatest first, of which only so many are to be read; most 0: all.  count: how many
 * have a sum.  NULL where none has, or no memory is left.
 */
struct fxt_culprit *fxt_culprits_sorted(const struct fxt_culprits *c,
					const struct fxt_suspects *suspects, unsigned int most, __u32 *count);

#endif
