/* SPDX-License-Identifier: GPL-2.0-only */
/* Losses that the events of a recording report. */
#ifndef FXT_MODEL_LOSS_H
#define FXT_MODEL_LOSS_H

#include "codec/record.h"
#include "uapi/fxtrec.h"

/* Why records are lost: the rings' causes (enum fxtrec_loss), that there is none, and those of programs' marks. */
enum fxt_lost_cause {
	FXT_LOST_NO_RING = FXTREC_LOST_SURPLUS + 1,	/* on a late CPU */
	FXT_LOST_MARKS_FULL,	/* the program's ring had no room */
	FXT_LOST_MARKS_BUDGET,	/* beyond the share of the program's user */
	FXT_LOST_MARKS_CUT,	/* behind one that was never committed */
	FXT_LOST_MARKS_BAD,	/* not what a mark may be */
	FXT_LOST_OTHER,		/* of another name */
	FXT_LOST_CAUSES,
};

struct fxt_lost {
	__u64 records;
	__u32 cause;		/* below FXT_LOST_CAUSES */
	__u32 ring;		/* enum fxtrec_ring_kind; FXTREC_RINGS: of no CPU's */
	__u32 cpu;		/* where ring is one's */
};

/* A loss of a CPU's scheduling events, as a reader reports it: Documentation/fxt-on-linux.rst. */
struct fxt_loss {
	__u32 cpu;
	__u64 from, to;		/* ns */
	const char *cause;	/* static */
	__u64 records;		/* 0: nothing says how many */
};

#define FXT_LOSS_NAME	48u

/* The thread that the loss is on, from since on; name is its text's room, as the text isn't copied. */
void fxt_loss_build_thread(struct fxt_record *r, const struct fxt_loss *loss, __u64 since, char name[FXT_LOSS_NAME]);
void fxt_loss_build_event(struct fxt_record *r, const struct fxt_loss *loss);

/* "ring full" and so on. */
const char *fxt_lost_cause(unsigned int cause);

/* The ring of a CPU, by the koid of its track of losses: enum fxtrec_ring_kind; FXTREC_RINGS: none. */
__u32 fxt_lost_ring(__u32 cpu, __u64 koid);

/* The CPU of an event "lost": by its provider, or, where it came from packets, by its track; false: it is of none. */
bool fxt_lost_cpu(const struct fxt_record *r, __u32 *cpu);

/* 0 where the record is an event that reports a loss, else -ENOENT. */
int fxt_lost_read(struct fxt_lost *lost, const struct fxt_record *r);

/*
 * The ring that the loss of an event "lost" was in, SCHED where its events are in one with all others, FXTREC_RINGS of
 * marks; the CPU that it was on, if that is known.
 */
__u32 fxt_lost_where(const struct fxt_record *r, bool *known, __u32 *cpu);

#endif
