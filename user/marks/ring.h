/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of one program that marks (include/fxtrec/mark.h).  The program can write
 * all of it at any time: nothing in it is believed, and each word is read once.
 */
#ifndef FXT_MARKS_RING_H
#define FXT_MARKS_RING_H

#include <stdbool.h>

#include "marks/spans.h"
#include "model/loss.h"

#define FXTREC_MARK_LAYOUT
#include "fxtrec/mark.h"

#define FXT_MARK_THREADS	16u	/* entries of a cache */

struct fxt_mark_ring {
	struct fxtrec_mark_area *area;
	int lock;		/* a descriptor of the memory: the recorder that holds its lock reads it */
	__u32 maker;		/* the user that made the memory */
	__u32 pid;
	int process;		/* the process's directory in /proc; -1: it had ended */
	__u32 threads[FXT_MARK_THREADS];	/* of the process, lately, by id */
	__u64 tail;		/* the recorder's; that of the area is for the program */
	__u64 until;		/* the program's head at the last poll */
	__u32 old;		/* records before it are of another recording */
	bool gone;		/* the program has ended, or has another memory */
	bool broken;		/* nothing more is read */
	bool waits;		/* for a writer that hasn't finished */
	__u64 overruns;		/* the program's count of lost records, so far */
	__u64 lost[FXT_LOST_CAUSES];	/* not reported yet */
	__u64 loss_start;	/* ticks; none was lost before */
	bool lossy;		/* any was, ever */
	__u64 second_bytes, last_bytes;	/* written in this second, and in the one before */
	struct fxt_spans spans;	/* of its threads */
};

/*
 * Maps the memory and locks it for this recorder; the descriptor stays the caller's.  offered: a program that writes by
 * that clock (index + 1) and has had no recorder has offered itself to this one, which has all that it holds; 0: none has.
 * -EINVAL: not the memory of that process; -EBUSY: another recorder has it; -EALREADY: this one has; -errno.
 */
int fxt_mark_ring_open(struct fxt_mark_ring **ring, int fd, __u32 pid, __u32 offered);

/* Has the program write, its time by that clock (index + 1), or no longer (0). */
void fxt_mark_ring_switch(struct fxt_mark_ring *ring, __u32 on);

/* Notes how far it is, and what it lost, for that cause; returns how full it is, in 256ths. */
unsigned int fxt_mark_ring_poll(struct fxt_mark_ring *ring, enum fxt_lost_cause cause);

/* Whether there is anything to be read. */
static inline bool fxt_mark_ring_due(const struct fxt_mark_ring *ring)
{
	return !ring->broken && (__u32)ring->until != (__u32)ring->tail;
}

/*
 * Copies the next record up to there.  Its words, FXTREC_MARK_WORDS_MAX at most; 0: there is
 * none, or none that is finished.  What makes no sense breaks the ring.
 */
unsigned int fxt_mark_ring_next(struct fxt_mark_ring *ring, __u64 *w);

/* Gives the room of what was copied back to the program. */
void fxt_mark_ring_consume(struct fxt_mark_ring *ring);

/* Records that are there and not read; no more than fit, whatever the program says. */
__u32 fxt_mark_ring_pending(const struct fxt_mark_ring *ring);

/* Counts what is there and will not be read, as lost. */
void fxt_mark_ring_abandon(struct fxt_mark_ring *ring, enum fxt_lost_cause cause);

void fxt_mark_ring_lose(struct fxt_mark_ring *ring, enum fxt_lost_cause cause, __u64 records);

/* Lost records that are not reported yet. */
__u64 fxt_mark_ring_unreported(const struct fxt_mark_ring *ring);

/* Has the program write no longer, and leaves it to other recorders. */
void fxt_mark_ring_close(struct fxt_mark_ring *ring);

#endif
