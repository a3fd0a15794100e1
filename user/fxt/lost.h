/* SPDX-License-Identifier: GPL-2.0-only */
/* What the events of a recording of fxtrec's say of lost records. */
#ifndef FXT_LOST_H
#define FXT_LOST_H

#include "record.h"
#include "uapi/fxtrec.h"

struct fxt_lost {
	__u64 records;
	__u32 cause;		/* enum fxtrec_loss; FXTREC_LOSSES: of another name */
	__u32 ring;		/* enum fxtrec_ring_kind; FXTREC_RINGS: of no CPU's */
	__u32 cpu;		/* where ring is one's */
};

/* 0 where the record is an event that tells of a loss, else -ENOENT. */
int fxt_lost_read(struct fxt_lost *lost, const struct fxt_record *r);

#endif
