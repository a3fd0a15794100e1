/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording says of its machine, its clock and its losses: an observer. */
#ifndef FXT_ANALYZE_MACHINE_ORIGIN_H
#define FXT_ANALYZE_MACHINE_ORIGIN_H

#include "analyze/machine/machine.h"

struct fxt_origin_loss {
	struct fxt_loss_span span;
	struct fxt_origin_loss *next;
};

struct fxt_origin {
	struct fxt_machine *m;
	const char *host, *release, *arch, *model;	/* NULL: not known, as all */
	const char *clock;				/* of the trace's times */
	const char *run;				/* the id of its kernel's run */
	const char *backend;
	__u64 processors;
	__u64 processor;			/* the number behind the last of them */
	bool mixed;				/* it has recordings of more than one machine */
	__u64 lost_events;			/* in the window */
	__u64 lost_count;			/* losses */
	bool lost_more;				/* of some of these nothing says how many events */
	__u64 lost_others;			/* in the trace: names, messages, other events, marks */
	__u64 full_buffers;			/* in the trace: of other recorders, and what they lost is not said */
	__u64 between;				/* ns of these that no file has */
	struct fxt_origin_loss *first, **last;	/* in the window, in their order */
};

/* Of all machines that an output is about, by their numbers. */
struct fxt_origins {
	const char *file;			/* the names of all inputs */
	const struct fxt_origin *const *of;
	__u32 count;				/* one at least */
};

void fxt_origin_init(struct fxt_origin *origin, struct fxt_machine *m);

/* The same without losses, of which the caller keeps account. */
void fxt_origin_facts(struct fxt_origin *origin, struct fxt_machine *m);

#endif
