/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads and builds the events of a recording that report losses. */
#ifndef FXT_MODEL_LOSS_H
#define FXT_MODEL_LOSS_H

#include "codec/record.h"
#include "uapi/fxtrec.h"

/* Causes of losses: those of the rings (enum fxtrec_loss), a missing ring, and those of programs' marks. */
enum fxt_lost_cause {
	FXT_LOST_NO_RING = FXTREC_LOST_SURPLUS + 1,	/* CPU came online later, and has no ring */
	FXT_LOST_MARKS_FULL,	/* program's ring was full */
	FXT_LOST_MARKS_BUDGET,	/* marks exceeded the share of the program's user */
	FXT_LOST_MARKS_CUT,	/* marks after one that was never committed */
	FXT_LOST_MARKS_BAD,	/* bytes that are no valid mark */
	FXT_LOST_OTHER,		/* cause with another name */
	FXT_LOST_CAUSES,
};

struct fxt_lost {
	__u64 records;
	__u32 cause;		/* cause, below FXT_LOST_CAUSES */
	__u32 ring;		/* enum fxtrec_ring_kind; FXTREC_RINGS: not a CPU's ring */
	__u32 cpu;		/* CPU, if ring is a CPU's */
};

/* A loss of a CPU's scheduling events, as reported by a reader: Documentation/fxt-on-linux.rst. */
struct fxt_loss {
	__u32 cpu;
	__u64 from, to;		/* ns */
	const char *cause;	/* static text */
	__u64 records;		/* lost records; 0: number not known */
};

#define FXT_LOSS_NAME	48u

/* Builds the name of the loss's thread, from since on; the record refers to the text in name. */
void fxt_loss_build_thread(struct fxt_record *r, const struct fxt_loss *loss, __u64 since, char name[FXT_LOSS_NAME]);
void fxt_loss_build_event(struct fxt_record *r, const struct fxt_loss *loss);

/* Returns the name of a cause, such as "ring full". */
const char *fxt_lost_cause(unsigned int cause);

/* Returns the ring of a CPU by the koid of its track of losses: enum fxtrec_ring_kind; FXTREC_RINGS: none. */
__u32 fxt_lost_ring(__u32 cpu, __u64 koid);

/*
 * Finds the CPU of an event "lost", by its provider or, if the event came from packets, by
 * its track.  Returns false if it has no CPU.
 */
bool fxt_lost_cpu(const struct fxt_record *r, __u32 *cpu);

/* Reads an event that reports a loss.  Returns 0; -ENOENT for any other record. */
int fxt_lost_read(struct fxt_lost *lost, const struct fxt_record *r);

/*
 * Returns the ring of an event "lost": SCHED where a ring has all of a CPU's events,
 * FXTREC_RINGS for marks.  Sets *known, and *cpu if the CPU is known.
 */
__u32 fxt_lost_where(const struct fxt_record *r, bool *known, __u32 *cpu);

#endif
