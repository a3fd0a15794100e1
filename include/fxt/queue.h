/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The queues that chosen threads wait in: all switches of such a CPU are kept, so that the trace shows the threads
 * that made them wait.
 *
 * The events of a thread are ordered by its runqueue's lock, except for a wakeup while the thread leaves its CPU, which
 * leaves the thread's word to the wakeup: so plain accesses of that word suffice.
 *
 * In addition to the needs of fxt/filter.h, the includer defines
 *
 *   FXT_QUEUE_WORD(tid)	address of the thread's word of struct fxt_filter_queues, or NULL
 *   FXT_QUEUE_CPU(cpu)		a CPU's struct fxt_filter_cpu, or NULL
 *   FXT_QUEUE_ADD(p, v)	adds to a word that other CPUs add to
 */
#ifndef FXT_QUEUE_H
#define FXT_QUEUE_H

#include "events.h"
#include "filter.h"

FXT_INLINE void fxt_queue_count(__u32 cpu, __s32 more)
{
	struct fxt_filter_cpu *of = FXT_QUEUE_CPU(cpu);

	if (!of)
		return;
	FXT_QUEUE_ADD(&of->waiting, more);
	if (more > 0)
		FXT_QUEUE_ADD(&of->entered, 1);
}

/* Returns whether a chosen thread waits in this CPU's queue. */
FXT_INLINE int fxt_queue_watched(const struct fxt_filter_cpu *of)
{
	return of && FXT_READ(of->waiting);
}

/* Moves a thread into a CPU's queue, but leaves it counted in its former queue.  Returns that queue's CPU + 1, or 0. */
FXT_INLINE __u32 fxt_queue_enter(__u32 tid, __u32 cpu)
{
	__u16 *word = FXT_QUEUE_WORD(tid);
	__u32 was = word ? FXT_READ(*word) : 0;

	if (!word || was == cpu + 1)
		return 0;
	/* Count before the record is timed: from now on all switches of that CPU are kept. */
	fxt_queue_count(cpu, 1);
	FXT_WRITE(*word, cpu + 1);
	return was;
}

/* Ends the count that fxt_queue_enter() left. */
FXT_INLINE void fxt_queue_leave(__u32 was)
{
	if (was)
		fxt_queue_count(was - 1, -1);
}

/* Removes a thread from its queue. */
FXT_INLINE void fxt_queue_end(__u32 tid)
{
	__u16 *word = FXT_QUEUE_WORD(tid);
	__u32 was = word ? FXT_READ(*word) : 0;

	if (!was)
		return;
	FXT_WRITE(*word, 0);
	fxt_queue_leave(was);
}

/* Puts a chosen thread into a queue when it is woken, on the CPU where it last ran, or when it is created there. */
FXT_INLINE void fxt_queue_woken(__u32 tid, __u32 cpu)
{
	fxt_queue_leave(fxt_queue_enter(tid, cpu));
}

/*
 * Follows a switch on a CPU; runnable: the outgoing thread continues to wait.  A sleeping thread stays in the queue
 * where a wakeup has put it.  Returns whether the switch is kept: it has a chosen thread, or a chosen thread waits.
 */
FXT_INLINE int fxt_queue_switch(__u32 cpu, __u32 outgoing, __u32 incoming, enum fxt_unchosen unchosen, int runnable,
				int dead)
{
	int kept;

	if (!(unchosen & FXT_UNCHOSEN_OUTGOING) && runnable)
		fxt_queue_woken(outgoing, cpu);
	else if (dead)
		fxt_queue_end(outgoing);
	kept = unchosen != FXT_UNCHOSEN_BOTH || fxt_queue_watched(FXT_QUEUE_CPU(cpu));
	/* Also ends the wait of a thread that is no longer chosen. */
	fxt_queue_end(incoming);
	return kept;
}

/*
 * Notes the thread that a CPU runs from now on; after its switch was timed, so that a reader
 * of the note has a later time.
 */
FXT_INLINE void fxt_queue_run(__u32 cpu, __u32 incoming)
{
	struct fxt_filter_cpu *of = FXT_QUEUE_CPU(cpu);

	FXT_BARRIER();
	if (of)
		FXT_WRITE(of->running, incoming + 1);
}

/* Returns the thread that a CPU runs: its id + 1, or 0. */
FXT_INLINE __u32 fxt_queue_running(__u32 cpu)
{
	const struct fxt_filter_cpu *of = FXT_QUEUE_CPU(cpu);

	return of ? FXT_READ(of->running) : 0;
}

/* Returns whether a thread waits in a CPU's queue. */
FXT_INLINE int fxt_queue_has(__u32 tid, __u32 cpu)
{
	const __u16 *word = FXT_QUEUE_WORD(tid);

	return word && FXT_READ(*word) == cpu + 1;
}

/*
 * Returns whether the start of an interrupt's handler is kept: it takes the time of a chosen thread, running
 * or waiting.  Otherwise notes the start, since a thread may come to the queue before the handler ends.
 */
FXT_INLINE int fxt_queue_handler_begin(__u32 cpu, __u32 tid, enum fxt_track track, __u64 ticks)
{
	struct fxt_filter_cpu *of;
	int kept;

	if (!FXT_FILTER_THREADS)
		return !FXT_FILTER_CPU_OUT;
	of = FXT_QUEUE_CPU(cpu);
	if (!of)
		return 0;
	kept = fxt_filter_keeps(tid) || (fxt_queue_watched(of) && !FXT_FILTER_CPU_OUT);
	of->started[track] = kept || FXT_FILTER_CPU_OUT ? 0 : ticks;
	of->entered_before[track] = FXT_READ(of->entered);
	return kept;
}

/*
 * Returns the start of the ending handler if its start is kept only now, because a thread
 * came to the queue since then; else 0.
 */
FXT_INLINE __u64 fxt_queue_handler_end(__u32 cpu, enum fxt_track track)
{
	struct fxt_filter_cpu *of;
	__u64 started;

	if (!FXT_FILTER_THREADS)
		return 0;
	of = FXT_QUEUE_CPU(cpu);
	if (!of)
		return 0;
	started = of->started[track];
	of->started[track] = 0;
	return of->entered_before[track] != FXT_READ(of->entered) ? started : 0;
}

#endif
