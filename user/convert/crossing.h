/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds crossing slices of a thread, for formats that need them nested. */
#ifndef FXT_CONVERT_CROSSING_H
#define FXT_CONVERT_CROSSING_H

#include "codec/record.h"

#define FXT_CROSSING_MAX	24u

/* Open slices, up to a depth; all zero: none. */
struct fxt_crossing {
	__u32 depth;
	__u32 deeper;			/* starts beyond FXT_CROSSING_MAX that have not ended */
	__u64 ends[FXT_CROSSING_MAX];	/* ends in ns, the innermost last; ~0: not known */
};

/*
 * Adds a slice's start or end, or a complete slice; returns whether it crosses another slice.  A complete slice that
 * crosses another is not added if it is dropped.
 */
bool fxt_crossing_add(struct fxt_crossing *nest, const struct fxt_record *r, bool dropped);

#endif
