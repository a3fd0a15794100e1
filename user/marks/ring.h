/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of one program that marks (include/fxtrec/mark.h).  The program can write all of it at any time: no value
 * in it is trusted, and each word is read once.
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
	int lock;		/* a descriptor of the memory: the recorder that holds its lock reads the memory */
	__u32 maker;		/* user that made the memory */
	__u32 pid;
	int process;		/* the process's directory in /proc; -1: the process had ended */
	__u32 threads[FXT_MARK_THREADS];	/* a cache of the process's threads, by id */
	__u64 tail;		/* the recorder's tail; the area's is for the program */
	__u64 until;		/* the program's head at the last poll */
	__u32 old;		/* records before this position belong to another recording */
	bool owned;		/* this recorder is the memory's */
	bool gone;		/* the program has ended, or has another memory */
	bool broken;		/* reading has ended */
	bool waits;		/* a writer hasn't finished */
	__u64 overruns;		/* the program's count of lost records, so far */
	__u64 lost[FXT_LOST_CAUSES];	/* not reported yet */
	__u64 loss_start;	/* ticks; no record was lost before */
	bool lossy;		/* a record was lost at any time */
	__u64 second_bytes, last_bytes;	/* bytes written in this second, and in the previous one */
	struct fxt_spans spans;	/* open slices of its threads */
};

/*
 * Maps the memory and locks it for this recorder, without writing to it; the caller still owns the descriptor.
 * -EINVAL: not the memory of that process; -EBUSY: another recorder has it; -EALREADY: this recorder has it; -errno.
 */
int fxt_mark_ring_open(struct fxt_mark_ring **ring, int fd, __u32 pid);

/*
 * Becomes the memory's recorder, from the position of the program or of the previous recorder on.  offered: programs
 * that offer themselves to this recorder write by that clock (index + 1), so all marks of one that has had no recorder
 * are this recorder's; 0: this recorder receives no offers.
 */
void fxt_mark_ring_start(struct fxt_mark_ring *ring, __u32 offered);

/* Has the program write with times of that clock (index + 1), or stop writing (0). */
void fxt_mark_ring_switch(struct fxt_mark_ring *ring, __u32 on);

/* Reads the program's head, and counts its losses for that cause; returns how full the ring is, in 256ths. */
unsigned int fxt_mark_ring_poll(struct fxt_mark_ring *ring, enum fxt_lost_cause cause);

/* Returns whether there is anything to read. */
static inline bool fxt_mark_ring_due(const struct fxt_mark_ring *ring)
{
	return !ring->broken && (__u32)ring->until != (__u32)ring->tail;
}

/*
 * Copies the next record up to that head.  Returns its words, at most FXTREC_MARK_WORDS_MAX; 0: no record, or an
 * unfinished one.  Invalid words end the reading of the ring.
 */
unsigned int fxt_mark_ring_next(struct fxt_mark_ring *ring, __u64 *w);

/* Returns the space of the copied records to the program. */
void fxt_mark_ring_consume(struct fxt_mark_ring *ring);

/* Returns the number of records that were not read; no more than fit, whatever the program claims. */
__u32 fxt_mark_ring_pending(const struct fxt_mark_ring *ring);

/* Counts the records that will not be read as lost. */
void fxt_mark_ring_abandon(struct fxt_mark_ring *ring, enum fxt_lost_cause cause);

void fxt_mark_ring_lose(struct fxt_mark_ring *ring, enum fxt_lost_cause cause, __u64 records);

/* Returns the number of lost records that are not reported yet. */
__u64 fxt_mark_ring_unreported(const struct fxt_mark_ring *ring);

/* Has the program stop writing where its memory is this recorder's, and leaves the memory to other recorders. */
void fxt_mark_ring_close(struct fxt_mark_ring *ring);

#endif
