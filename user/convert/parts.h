/* SPDX-License-Identifier: GPL-2.0-only */
/* What a conversion writes: one file, or several that each stand alone. */
#ifndef FXT_CONVERT_PARTS_H
#define FXT_CONVERT_PARTS_H

#include "convert/carryover.h"
#include "convert/convert.h"
#include "util/series.h"

struct fxt_parts {
	struct fxt_conversion *c;
	const struct fxt_convert_options *o;
	struct fxt_series series;
	struct fxt_carryover carryover;	/* where there will be another part */
	struct fxt_out *out;
	void *state;		/* the writer's; NULL: no part is open */
	char *path;		/* of the part, or of the one that failed */
	bool begun;		/* until holds */
	__u64 until;		/* ns: when the next part begins */
};

/* Opens the first.  0 or -errno, as all. */
int fxt_parts_open(struct fxt_parts *parts, struct fxt_conversion *c,
		   const struct fxt_convert_options *o);

/* Writes a record, the next in time, into a new part where it is time for that. */
int fxt_parts_put(void *parts, const struct fxt_record *r);

/* The last one; path holds until it is freed, which is the caller's. */
int fxt_parts_close(struct fxt_parts *parts, bool failed);

#endif
