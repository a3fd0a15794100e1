/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording is asked for. */
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
	__u64 duration_ns;	/* 0: none, as all of these */
	__u64 size_limit;	/* bytes */
	__u64 flush_ns;		/* younger records may be in memory alone */
	__u64 delay_ns;
	__u64 rotate_bytes;
	__u64 rotate_ns;
	int counters;		/* once a second */
	int no_marks;		/* programs' marks are left to other recorders */
	unsigned int keep;	/* files of a rotation, or snapshots */
	const char *page;	/* made of the file in the end; "": named after it; NULL: none */
	int flight;
	__u64 flight_ns;	/* the length of a snapshot at most */
	__u64 after_ns;		/* from a trigger to its snapshot */
	struct fxt_triggers triggers;
};

static inline int fxt_record_rotates(const struct fxt_record_options *o)
{
	return o->rotate_bytes || o->rotate_ns;
}

#endif
