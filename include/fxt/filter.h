/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Filters events by the thread's bit and by the CPU.
 *
 * In addition to the needs of fxt/ring.h, the includer defines
 *
 *   FXT_FILTER_THREADS		whether only events of chosen threads are kept
 *   FXT_FILTER_CPU_OUT		whether this CPU's events are dropped
 *   FXT_FILTER_QUEUE_OUT(cpu)	whether events that change the queue of that CPU are dropped
 *   FXT_FILTER_SET(which)	a struct fxt_filter_set, or NULL
 *
 * fxt/chosen.h chooses the threads.
 */
#ifndef FXT_FILTER_H
#define FXT_FILTER_H

#include "layout.h"
#include "linux.h"

FXT_INLINE int fxt_filter_has(struct fxt_filter_set *set, __u32 tid)
{
	return set && FXT_READ(*fxt_filter_word(set, tid)) & fxt_filter_bit(tid);
}

/* Returns the threads of a switch that aren't chosen. */
FXT_INLINE enum fxt_unchosen fxt_filter_switch(__u32 outgoing, __u32 incoming)
{
	struct fxt_filter_set *chosen;

	if (!FXT_FILTER_THREADS)
		return FXT_UNCHOSEN_NONE;
	chosen = FXT_FILTER_SET(FXT_FILTER_CHOSEN);
	return (fxt_filter_has(chosen, outgoing) ? 0 : FXT_UNCHOSEN_OUTGOING) |
	       (fxt_filter_has(chosen, incoming) ? 0 : FXT_UNCHOSEN_INCOMING);
}

/* Returns whether the filter of threads keeps a thread's events. */
FXT_INLINE int fxt_filter_chooses(__u32 tid)
{
	return !FXT_FILTER_THREADS || fxt_filter_has(FXT_FILTER_SET(FXT_FILTER_CHOSEN), tid);
}

/* Returns whether an event of the thread on this CPU is kept. */
FXT_INLINE int fxt_filter_keeps(__u32 tid)
{
	return fxt_filter_chooses(tid) && !FXT_FILTER_CPU_OUT;
}

/*
 * Returns whether a wakeup or migration by this CPU is kept, which changes the queues of two
 * CPUs, or (from equal to to) of one.  Every change of a chosen CPU's queue is kept.
 */
FXT_INLINE int fxt_filter_keeps_move(__u32 tid, __u32 from, __u32 to)
{
	return fxt_filter_chooses(tid) &&
	       (!FXT_FILTER_CPU_OUT || !FXT_FILTER_QUEUE_OUT(from) || !FXT_FILTER_QUEUE_OUT(to));
}

#endif
