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

/* "ring full" and so on. */
const char *fxt_lost_cause(unsigned int cause);

/* 0 where the record is an event that reports a loss, else -ENOENT. */
int fxt_lost_read(struct fxt_lost *lost, const struct fxt_record *r);

#endif
