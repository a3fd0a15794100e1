/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The filter: which events are kept, by the thread's bit and by the CPU.
 *
 * In addition to what fxt/ring.h needs, the includer defines
 *
 *   FXT_FILTER_THREADS		whether only events of chosen threads are kept
 *   FXT_FILTER_CPU_OUT		whether this CPU's events are dropped
 *   FXT_FILTER_SET(which)	a struct fxt_filter_set, or NULL
 *
 * fxt/chosen.h decides which threads are chosen.
 */
#ifndef FXT_FILTER_H
#define FXT_FILTER_H

#include "layout.h"

FXT_INLINE int fxt_filter_has(struct fxt_filter_set *set, __u32 tid)
{
	return set && FXT_READ(*fxt_filter_word(set, tid)) & fxt_filter_bit(tid);
}

/* Whether an event on this CPU is kept that belongs to either of two threads. */
FXT_INLINE int fxt_filter_keeps_either(__u32 tid, __u32 other)
{
	if (FXT_FILTER_THREADS) {
		struct fxt_filter_set *chosen = FXT_FILTER_SET(FXT_FILTER_CHOSEN);

		if (!fxt_filter_has(chosen, tid) && !fxt_filter_has(chosen, other))
			return 0;
	}
	return !FXT_FILTER_CPU_OUT;
}

/* Whether an event of the thread on this CPU is kept. */
FXT_INLINE int fxt_filter_keeps(__u32 tid)
{
	if (FXT_FILTER_THREADS && !fxt_filter_has(FXT_FILTER_SET(FXT_FILTER_CHOSEN), tid))
		return 0;
	return !FXT_FILTER_CPU_OUT;
}

#endif
