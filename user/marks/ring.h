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

struct fxt_mark_ring {
	struct fxtrec_mark_area *area;
	__u32 pid;
	__u64 inode;		/* of the memory */
	__u64 tail;		/* the recorder's; that of the area is for the program */
	__u64 until;		/* the program's head at the last poll */
	__u32 old;		/* records before it are of another recording */
	bool gone;		/* the program has ended, or has another memory */
	bool ended;		/* and its last record is written */
	bool broken;		/* nothing more is read */
	bool waits;		/* for a writer that hasn't finished */
	__u64 overruns;		/* the program's count of lost records, so far */
	__u64 lost[FXT_LOST_CAUSES];	/* not reported yet */
	__u64 loss_start;	/* ticks; none was lost before */
	bool lossy;		/* any was, ever */
	struct fxt_spans spans;	/* of its threads */
};

#define FXT_MARK_ANNOUNCED_TO_OTHER	(~0U)

/*
 * Maps the memory and claims it for this recorder; the descriptor stays the caller's.
 * announced: a program that writes by that clock (index + 1) and has no recorder announced
 * itself to this one; 0: none has; FXT_MARK_ANNOUNCED_TO_OTHER: one that writes did so to another.
 * -EINVAL: not the memory of that process; -EBUSY: another recorder's; -errno.
 */
int fxt_mark_ring_open(struct fxt_mark_ring **ring, int fd, __u32 pid, __u64 inode, __u32 announced);

/* Has the program write, its time by that clock (index + 1), or no longer (0). */
void fxt_mark_ring_switch(struct fxt_mark_ring *ring, __u32 on);

/* Notes how far it is, and what it lost; returns how full it is, in 256ths. */
unsigned int fxt_mark_ring_poll(struct fxt_mark_ring *ring);

/*
 * Copies the next record up to there.  Its words, FXTREC_MARK_WORDS_MAX at most; 0: there is
 * none, or none that is finished.  What makes no sense breaks the ring.
 */
unsigned int fxt_mark_ring_next(struct fxt_mark_ring *ring, __u64 *w);

/* Gives the room of what was copied back to the program. */
void fxt_mark_ring_consume(struct fxt_mark_ring *ring);

/* Counts what is there and will not be read, as lost. */
void fxt_mark_ring_abandon(struct fxt_mark_ring *ring, enum fxt_lost_cause cause);

void fxt_mark_ring_lose(struct fxt_mark_ring *ring, enum fxt_lost_cause cause, __u64 records);

/* Has the program write no longer, and leaves it to other recorders. */
void fxt_mark_ring_close(struct fxt_mark_ring *ring);

#endif
