/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that can be recorded besides scheduling. */
#ifndef FXT_SELECT_EVENTS_H
#define FXT_SELECT_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

struct fxt_event_group {
	const char *name;
	__u32 events;			/* FXTREC_EVENTS_* */
	/* "subsystem:name subsystem:name"; globs for a group without probes of its own */
	const char *tracepoints;
};

/* The groups; the last one has no name. */
extern const struct fxt_event_group fxt_event_groups[];

#define FXT_EVENTS_PATTERNS_MAX	256u

/* The events of -e; all zero is empty. */
struct fxt_events {
	__u32 events;			/* FXTREC_EVENTS_* */
	unsigned int patterns;
	struct {
		char *text;		/* "subsystem:name", each a glob */
		bool optional;		/* part of a group: a kernel may lack it */
	} pattern[FXT_EVENTS_PATTERNS_MAX];
};

/* Adds the events of a comma-separated list; -EINVAL with the element in wrong. */
int fxt_events_parse(struct fxt_events *events, const char *list, char *wrong, size_t room);
void fxt_events_uninit(struct fxt_events *events);

#endif
