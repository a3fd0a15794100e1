/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of which the records before them in time say what they are, where an input has them in another order: as
 * they come out of the merge.
 */
#ifndef FXT_CONVERT_SORT_SETTLE_H
#define FXT_CONVERT_SORT_SETTLE_H

#include "codec/record.h"
#include "store/map.h"

struct fxt_settle {
	struct fxt_map flows;	/* those that began, by input */
};

void fxt_settle_init(struct fxt_settle *settle, struct fxt_spill *spill);
void fxt_settle_uninit(struct fxt_settle *settle);

static inline bool fxt_settle_needs(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_EVENT && r->event.unsettled;
}

/*
 * Settles an event: a step of a flow that is not open begins it.  1 or -errno.
 */
int fxt_settle(struct fxt_settle *settle, struct fxt_record *r);

#endif
