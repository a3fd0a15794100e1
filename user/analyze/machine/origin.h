/* SPDX-License-Identifier: GPL-2.0-only */
/* Collects the facts that a recording reports about its machine, its clock and its losses: an observer. */
#ifndef FXT_ANALYZE_MACHINE_ORIGIN_H
#define FXT_ANALYZE_MACHINE_ORIGIN_H

#include "analyze/machine/machine.h"

struct fxt_origin_loss {
	struct fxt_loss_span span;
	struct fxt_origin_loss *next;
};

struct fxt_origin {
	struct fxt_machine *m;
	const char *host, *release, *arch, *model;	/* NULL: not known, like the other texts */
	const char *clock;				/* clock of the trace's times */
	const char *run;				/* id of the kernel's run */
	const char *backend;
	__u64 processors;
	__u64 processor;			/* number of the last processor, plus one */
	bool mixed;				/* trace has recordings of several machines */
	__u64 lost_events;			/* events lost in the window */
	__u64 lost_count;			/* losses in the window */
	bool lost_more;				/* some losses have an unknown number of events */
	__u64 lost_others;			/* lost names, messages, other events and marks, in the trace */
	__u64 full_buffers;			/* full buffers of other recorders in the trace, with an unknown loss */
	__u64 between;				/* ns of the losses that no file has */
	struct fxt_origin_loss *first, **last;	/* losses in the window, in order */
};

/* The origins of all machines of an output, by number. */
struct fxt_origins {
	const char *file;			/* names of all inputs */
	const struct fxt_origin *const *of;
	__u32 count;				/* number of machines, at least one */
};

/* Returns whether a recording has reasons of sleeps. */
bool fxt_origins_reasons(const struct fxt_origins *origins);

void fxt_origin_init(struct fxt_origin *origin, struct fxt_machine *m);

/* Collects the facts without the losses, which the caller counts. */
void fxt_origin_facts(struct fxt_origin *origin, struct fxt_machine *m);

#endif
