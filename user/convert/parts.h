/* SPDX-License-Identifier: GPL-2.0-only */
/* The output files of a conversion: one, or parts that are each complete; of a window of time alone. */
#ifndef FXT_CONVERT_PARTS_H
#define FXT_CONVERT_PARTS_H

#include "stages/carryover.h"
#include "convert/convert.h"
#include "util/series.h"

struct fxt_parts {
	struct fxt_conversion *c;
	const struct fxt_convert_options *o;
	struct fxt_series series;
	struct fxt_carryover carryover;	/* of split output */
	struct fxt_out *out;
	void *state;		/* the writer's; NULL: no part is open */
	char *path;		/* of the current part, or of the one that failed */
	__u64 fresh;		/* bytes of what no part repeats, as FXT */
	bool part_fresh;	/* the part has any of it */
	__u64 records;		/* so far, where there is a limit */
	bool over;		/* they are beyond it: the rest is counted alone */
	bool started;		/* the recorder's facts are put, the others hold */
	__u64 until;		/* ns: when the next part begins */
	__u64 edge;		/* ns: when the current one began */
	struct fxt_parts_window {
		bool set;	/* the others hold */
		__u64 from, to;	/* ns */
	} window;
};

/* Opens the first.  0 or -errno, as all. */
int fxt_parts_open(struct fxt_parts *parts, struct fxt_conversion *c,
		   const struct fxt_convert_options *o);

/* Writes the next record in time, to a new part where the current one is full. */
int fxt_parts_put(void *parts, const struct fxt_record *r);

/* Closes the last one; the caller frees path. */
int fxt_parts_close(struct fxt_parts *parts, bool failed);

#endif
