/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports events of late CPUs, which came online after the recording began and have no rings. */
#ifndef FXT_DESCRIBE_LATE_H
#define FXT_DESCRIBE_LATE_H

#include "source/source.h"
#include "util/sink.h"

/* All zero: no event was reported yet. */
struct fxt_late {
	struct fxtrec_late *reported;	/* by CPU: the reported events and the time of the report */
};

/* Puts, for the tool's section, the scheduling events of each late CPU since the last report, as lost.  -errno. */
int fxt_late_put(struct fxt_late *late, const struct fxt_source *source, const struct fxt_sink *to);
void fxt_late_uninit(struct fxt_late *late);

/* Does the same for a file that stands alone: all events since the recording began. */
int fxt_late_put_all(const struct fxt_source *source, const struct fxt_sink *to);

/* Returns the counts by CPU, for all possible CPUs, to be freed.  NULL without memory. */
struct fxtrec_late *fxt_late_read(const struct fxt_source *source);

/* Returns the number of scheduling events on all late CPUs; 0 without memory. */
__u64 fxt_late_events(const struct fxt_source *source);

#endif
