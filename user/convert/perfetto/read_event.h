/* SPDX-License-Identifier: GPL-2.0-only */
/* A track event on its way; read_legacy.c has the older form, which is Chrome's. */
#ifndef FXT_CONVERT_PERFETTO_READ_EVENT_H
#define FXT_CONVERT_PERFETTO_READ_EVENT_H

#include "convert/perfetto/read.h"

struct fxt_pf_event_reader {
	struct fxt_pf_reader *rd;
	struct fxt_pf_sequence *s;
	const Pf__TrackEvent *event;
	__u64 ns;
	struct fxt_pf_track *track;
	__u64 process, thread;
	bool thread_given;	/* by the event or its sequence, not by the track */
};

/* The time, where it is in the event, in microseconds. */
void fxt_pf_legacy_time(struct fxt_pf_event_reader *e, const Pf__TracePacket *packet);

/* The thread, where the event or the sequence names one. */
void fxt_pf_legacy_thread(struct fxt_pf_event_reader *e);

/* An event that has a phase in place of a type. */
int fxt_pf_legacy(struct fxt_pf_event_reader *e, struct fxt_text category, struct fxt_text name);

/* read_counter.c: an event's value, and values of counters that come with it. */
int fxt_pf_counter(struct fxt_pf_event_reader *e);
int fxt_pf_counter_extras(struct fxt_pf_event_reader *e);

/* The thread that an event of ours tells of, being on its process's track. */
void fxt_pf_thread_arg_remove(struct fxt_record *r);

#endif
