/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that can be asked for beside scheduling. */
#ifndef FXT_RECORD_EVENTS_H
#define FXT_RECORD_EVENTS_H

#include <stddef.h>

#include <linux/types.h>

struct fxt_event_group {
	const char *name;
	__u32 events;			/* FXTREC_EVENTS_* */
	const char *tracepoints;	/* "subsystem:name subsystem:name" */
};

/* Ends with one without a name. */
extern const struct fxt_event_group fxt_event_groups[];

/* Adds what a comma-separated list names; -EINVAL with the element in wrong. */
int fxt_events_parse(const char *list, __u32 *events, char *wrong, size_t room);

#endif
