/* SPDX-License-Identifier: GPL-2.0-only */
/* State of a track event that is read; legacy.c has the older form, of Chrome. */
#ifndef FXT_CONVERT_PERFETTO_READ_EVENT_H
#define FXT_CONVERT_PERFETTO_READ_EVENT_H

#include "formats/perfetto/read/read.h"

struct fxt_pf_event_reader {
	struct fxt_pf_reader *rd;
	struct fxt_pf_sequence *s;
	const Pf__TrackEvent *event;
	__u64 ns;
	struct fxt_pf_track *track;
	__u64 process, thread;
	bool thread_given;	/* thread is the event's or its sequence's, not the track's */
};

/* Sets the event's time where the event itself has it, in microseconds. */
void fxt_pf_legacy_time(struct fxt_pf_event_reader *e, const Pf__TracePacket *packet);

/* Sets the event's thread where the event or the sequence has one. */
void fxt_pf_legacy_thread(struct fxt_pf_event_reader *e);

/* Puts an event with a phase in place of a type. */
int fxt_pf_legacy(struct fxt_pf_event_reader *e, struct fxt_text category, struct fxt_text name);

/* Puts an event's value, and its extra counter values (counter.c). */
int fxt_pf_counter(struct fxt_pf_event_reader *e);
int fxt_pf_counter_extras(struct fxt_pf_event_reader *e);

/* Puts the flows that start or end at an event. */
int fxt_pf_flows(struct fxt_pf_event_reader *e, const struct fxt_record *r);

/* Moves the thread of fxtrec's event from its last argument to the record. */
void fxt_pf_thread_arg_remove(struct fxt_record *r);

#endif
