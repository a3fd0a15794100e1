/* SPDX-License-Identifier: GPL-2.0-only */
/* The times when a CPU was idle, and no thread waited in its queue: an observer of the machine. */
#ifndef FXT_ANALYZE_EXPLAIN_IDLE_H
#define FXT_ANALYZE_EXPLAIN_IDLE_H

#include "analyze/machine/machine.h"

struct fxt_idle_times {
	struct fxt_machine *m;
	unsigned int slot;		/* index in data[] */
	unsigned int count;		/* CPUs that are idle now */
	__u64 since;			/* ns, start of the present time with an idle CPU */
	struct fxt_idle_span {
		__u64 from, to;
		__u64 sum;		/* ns of all times up to this one */
	} *times;			/* in order */
	size_t used, room;
};

void fxt_idle_init(struct fxt_idle_times *idle, struct fxt_machine *m);
void fxt_idle_uninit(struct fxt_idle_times *idle);

/* Returns ns of [from, to) when any CPU was idle, after the machine's end. */
__u64 fxt_idle_overlap(const struct fxt_idle_times *idle, __u64 from, __u64 to);

#endif
