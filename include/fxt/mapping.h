/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Finds the mapping of an address in the memory map of the running thread's process, without a lock.
 *
 * The kernel keeps the mappings of a process in a tree (linux/maple_tree.h).  Another thread may change the tree at the
 * same time, and free its nodes.  So each word is read by a function that never faults, and the mapping counts only if
 * it is of this memory map and holds the address.  A kernel with another form of nodes gives no mapping.
 *
 * The includer defines:
 *
 *   FXT_KERNEL_READ(to, bytes, address)	reads memory of the kernel; "to" stays as it is where that isn't mapped
 *   FXT_MEMBER(type, address, member)		the member of such a structure; 0 where it isn't mapped
 *   FXT_UNROLL					unrolls the loop that follows, for 6.1's verifier
 */
#ifndef FXT_MAPPING_H
#define FXT_MAPPING_H

/*
 * A node has 256 bytes: a pointer to its parent, the greatest index of each child but the last, and the children.  The
 * lowest bits of an entry say the kind of its node; a root is marked as a node.
 */
#define FXT_MAPLE_NODE(entry)	((entry) & ~255ull)
#define FXT_MAPLE_KIND(entry)	((entry) >> 3 & 15)
#define FXT_MAPLE_LEAF		1	/* maple_leaf_64: 16 children, as maple_range_64 */
#define FXT_MAPLE_WITH_GAPS	3	/* maple_arange_64: 10 children */
#define FXT_MAPLE_PIVOTS	15	/* the most indices of a node */
#define FXT_MAPLE_LEVELS	6	/* a process has up to 65,530 mappings, unless a person allows more */

/* Whether a mapping is of this memory map, and holds the address. */
FXT_INLINE int fxt_mapping_holds(__u64 mapping, __u64 mm, __u64 address)
{
	__u64 start = FXT_MEMBER(struct vm_area_struct, mapping, vm_start);
	__u64 end = FXT_MEMBER(struct vm_area_struct, mapping, vm_end);

	return FXT_MEMBER(struct vm_area_struct, mapping, vm_mm) == mm && address >= start && address < end;
}

/* Returns the child of a node that holds the address. */
FXT_SLOW __u64 fxt_mapping_child(__u64 entry, __u64 address)
{
	__u64 pivots[FXT_MAPLE_PIVOTS] = { 0 }, node = FXT_MAPLE_NODE(entry), child = 0;
	__u32 children = FXT_MAPLE_KIND(entry) == FXT_MAPLE_WITH_GAPS ? 10 : 16, i;

	FXT_KERNEL_READ(pivots, sizeof(pivots), node + 8);
	/* The last child of a node that isn't full may have a pivot of 0. */
	FXT_UNROLL
	for (i = 0; i < FXT_MAPLE_PIVOTS; i++) {
		if (i + 1 >= children || !pivots[i] || pivots[i] >= address)
			break;
	}
	FXT_KERNEL_READ(&child, sizeof(child), node + 8 * (children + i));
	return child;
}

/* Returns the address of the kernel's structure of the mapping; 0: none was found. */
FXT_INLINE __u64 fxt_mapping_find(__u64 mm, __u64 address)
{
	__u64 entry = FXT_MEMBER(struct mm_struct, mm, mm_mt.ma_root);
	__u32 level;

	FXT_UNROLL
	for (level = 1; level < FXT_MAPLE_LEVELS; level++) {
		if (FXT_MAPLE_KIND(entry) != FXT_MAPLE_LEAF)
			entry = fxt_mapping_child(entry, address);
	}
	entry = fxt_mapping_child(entry, address);
	return fxt_mapping_holds(entry, mm, address) ? entry : 0;
}

#endif
