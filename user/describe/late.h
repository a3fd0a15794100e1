/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording says of late CPUs, which came after it began and have no rings. */
#ifndef FXT_DESCRIBE_LATE_H
#define FXT_DESCRIBE_LATE_H

#include "source/source.h"
#include "util/sink.h"

/* All zero: nothing was reported yet. */
struct fxt_late {
	struct fxtrec_late *reported;	/* by CPU: the events, and when */
};

/* For the tool's section: the scheduling events of each since what was reported before, as lost.  -errno. */
int fxt_late_put(struct fxt_late *late, const struct fxt_source *source, const struct fxt_sink *to);
void fxt_late_uninit(struct fxt_late *late);

/* The same for a file that stands alone: all since the recording began. */
int fxt_late_put_all(const struct fxt_source *source, const struct fxt_sink *to);

/* What was counted, by CPU, of all that are possible; to be freed.  NULL without memory. */
struct fxtrec_late *fxt_late_read(const struct fxt_source *source);

/* The scheduling events of all of them; 0 without memory. */
__u64 fxt_late_events(const struct fxt_source *source);

#endif
