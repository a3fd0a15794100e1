/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a recording. */
#ifndef FXT_RECORD_OPTIONS_H
#define FXT_RECORD_OPTIONS_H

#include "select/events.h"
#include "select/filter.h"
#include "select/trigger.h"
#include "source/source.h"

struct fxt_record_options {
	const char *path;
	enum fxt_source_choice backend;
	struct fxt_source_options source;
	struct fxt_filter filter;
	struct fxt_events events;
	char **command;
	__u64 duration_ns;	/* from the start to the end; 0: not set, as in the fields below */
	__u64 size_limit;	/* bytes */
	__u64 flush_ns;		/* longest time that a record may be in memory only */
	__u64 delay_ns;
	__u64 rotate_bytes;
	__u64 rotate_ns;
	int counters;		/* recorded once a second */
	int no_marks;		/* leave programs' marks to other recorders */
	int no_reasons;		/* leave out the reasons of sleeps */
	int no_names;		/* leave out the names of files, pipes and sockets */
	int addresses;		/* don't hash the addresses in reasons */
	struct fxtrec_reasons reasons;
	unsigned int keep;	/* files of a rotation, or snapshots */
	/* path of the page to make of the file in the end; "": derived from the file's name; NULL: no page */
	const char *page;
	bool explain;		/* print why work was late in the end */
	int flight;
	__u64 flight_ns;	/* the longest time span of a snapshot */
	__u64 after_ns;		/* from a trigger to its snapshot */
	struct fxt_triggers triggers;
};

static inline int fxt_record_rotates(const struct fxt_record_options *o)
{
	return o->rotate_bytes || o->rotate_ns;
}

#endif
