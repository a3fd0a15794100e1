/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts the events that a file of FXT has and Perfetto's reader of FXT drops. */
#ifndef FXT_CONVERT_FXT_UNSHOWN_H
#define FXT_CONVERT_FXT_UNSHOWN_H

#include "convert/format.h"

struct fxt_unshown {
	struct fxt_map flows;		/* started flows, by number */
	struct fxt_map slices;		/* open slices, by process and thread */
	struct fxt_map operations;	/* JSON's asynchronous events: the process that each started in */
};

void fxt_unshown_init(struct fxt_unshown *unshown, struct fxt_spill *spill);
void fxt_unshown_uninit(struct fxt_unshown *unshown);

/* Counts the event, if it is dropped, as not held by the output.  0 or -ENOMEM. */
int fxt_unshown_event(struct fxt_unshown *unshown, struct fxt_conversion *c, const struct fxt_record *r);

#endif
