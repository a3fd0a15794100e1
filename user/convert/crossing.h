/* SPDX-License-Identifier: GPL-2.0-only */
/* How the slices of a thread nest, as far as a format needs them to be within each other. */
#ifndef FXT_CONVERT_CROSSING_H
#define FXT_CONVERT_CROSSING_H

#include "codec/record.h"

#define FXT_CROSSING_MAX	24u

/* Slices that are open, as far as is looked for one that crosses another; all zero: none. */
struct fxt_crossing {
	__u32 depth;
	__u32 deeper;			/* begins past the last, without their ends */
	__u64 ends[FXT_CROSSING_MAX];	/* ns, the innermost last; ~0: not known */
};

/*
 * Adds a slice's begin or end, or a complete slice; whether it crosses another slice: from within to behind it, or from
 * around it to before.  A complete slice that crosses another is not added where it is dropped.
 */
bool fxt_crossing_add(struct fxt_crossing *nest, const struct fxt_record *r, bool dropped);

#endif
