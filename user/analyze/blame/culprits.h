/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums by culprit the time that a thread waited for a CPU. */
#ifndef FXT_ANALYZE_CULPRITS_H
#define FXT_ANALYZE_CULPRITS_H

#include "analyze/blame/suspects.h"

/*
 * Sums of ns by number; all zero: empty.  Few sums are in a hash table, many in an array, whichever takes less memory.
 */
struct fxt_culprits {
	__u64 ns;		/* ns of all culprits, with others */
	__u64 others;		/* ns of culprits without their own sum; none of them exceeds a culprit with a sum */
	__u32 other_count;	/* number of such culprits; FXT_CULPRITS_UNCOUNTED: not known */
	__u32 used;		/* used slots of a hash table */
	__u32 room;		/* capacity of the array; 0: hash table */
	union {
		__u64 *array;
		struct fxt_culprit_slot {
			__u64 number;	/* number plus one; 0: free */
			__u64 ns;
		} *slots;
	};
	unsigned int bits;	/* log2 of the number of slots */
};

#define FXT_CULPRITS_UNCOUNTED	(~(__u32)0)

/*
 * Prepares an empty sum for sums additions of any suspects: it may become an array at once.
 * Only for a sum that is soon cleared: if most additions are for the same few suspects, a
 * hash table takes far less memory.  Returns 0 or -ENOMEM.
 */
int fxt_culprits_expect(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, size_t sums);

/* Returns the number of slots that hold all sums. */
static inline size_t fxt_culprits_places(const struct fxt_culprits *c)
{
	return c->room ? c->room : c->used;
}

/* Adds to a sum of a flat array that has capacity for it. */
static inline void fxt_culprits_array_add(struct fxt_culprits *c, __u32 number, __u64 ns)
{
	c->array[number] += ns;
	c->ns += ns;
}

/* Adds to a sum beyond the array's capacity, or in a hash table.  Returns 0 or -ENOMEM. */
int fxt_culprits_add_any(struct fxt_culprits *c, struct fxt_spill *spill, __u32 count, __u32 number, __u64 ns);

/*
 * Adds to a sum.  spill: memory of the sums, the same in all calls; count: number of
 * suspects so far.  Returns 0 or -ENOMEM.
 */
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

/* Subtracts other, which was added before. */
void fxt_culprits_take(struct fxt_culprits *c, const struct fxt_culprits *other);

/*
 * Gets the next sum that is not 0, in no particular order, from *at, which is 0 for the
 * first call.  Returns false after the last.
 */
bool fxt_culprits_next(const struct fxt_culprits *c, size_t *at, __u32 *number, __u64 *ns);

/* Returns the sum of a number; 0: none. */
__u64 fxt_culprits_get(const struct fxt_culprits *c, __u32 number);

/* Returns the number of sums that are not 0, by reading all slots. */
__u32 fxt_culprits_count(const struct fxt_culprits *c);

/* Adds ns of count culprits without their own sum. */
void fxt_culprits_add_others(struct fxt_culprits *c, __u64 ns, __u32 count);

/* Removes all sums. */
void fxt_culprits_clear(struct fxt_culprits *c, struct fxt_spill *spill);

/*
 * Returns a heap array of culprits, the greatest first; only the first most may be read (most 0:
 * all).  count: number of culprits with a sum.  Returns NULL if there is none, or without memory.
 */
struct fxt_culprit *fxt_culprits_sorted(const struct fxt_culprits *c,
					const struct fxt_suspects *suspects, unsigned int most, __u32 *count);

#endif
