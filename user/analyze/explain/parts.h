/* SPDX-License-Identifier: GPL-2.0-only */
/* The cause of a part of a path, by the part alone. */
#ifndef FXT_ANALYZE_EXPLAIN_PARTS_H
#define FXT_ANALYZE_EXPLAIN_PARTS_H

#include "analyze/explain/causes.h"

struct fxt_part {
	enum fxt_finding finding;
	const struct fxt_task *other;	/* NULL: nobody */
	const char *object;		/* NULL: nothing */
	const struct fxt_task *behind;
	enum fxt_did did;
};

/*
 * Returns the cause of a part.  whole: the thread's own waits for work are no lateness; asked: neither is the work of threads
 * that were asked.
 */
struct fxt_part fxt_part_of(const struct fxt_segment *segment, bool whole, bool asked);

#endif
