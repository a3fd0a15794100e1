/* SPDX-License-Identifier: GPL-2.0-only */
/* The output files of a conversion: one, or parts that are each complete. */
#ifndef FXT_CONVERT_PARTS_H
#define FXT_CONVERT_PARTS_H

#include "stages/carryover.h"
#include "convert/convert.h"
#include "util/series.h"

struct fxt_parts {
	struct fxt_conversion *c;
	const struct fxt_convert_options *o;
	struct fxt_series series;
	struct fxt_carryover carryover;	/* state for the parts of split output */
	struct fxt_out *out;
	void *state;		/* the writer's state; NULL: no part is open */
	char *path;		/* path of the current part, or of the part that failed */
	__u64 fresh;		/* bytes that no part repeats, as FXT */
	bool part_fresh;	/* the part has new bytes */
	__u64 records;		/* number of records so far, where there is a limit */
	bool over;		/* above the limit: the rest is only counted */
	__u64 until;		/* start of the next part, in ns; 0: there was no record */
	__u64 edge;		/* start of the current part, in ns */
};

/* Opens the first part.  0 or -errno, like the following functions. */
int fxt_parts_open(struct fxt_parts *parts, struct fxt_conversion *c,
		   const struct fxt_convert_options *o);

/* Writes the next record in time order, as the last stage: to a new part where the current one is full. */
int fxt_parts_put(struct fxt_stage *stage, struct fxt_record *r);

/* Closes the last part; the caller frees path. */
int fxt_parts_close(struct fxt_parts *parts, bool failed);

#endif
