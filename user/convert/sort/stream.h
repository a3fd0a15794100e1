/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes: scheduling records of one CPU that lie in time order in the input.
 * They stay there, are noted by their extents, and read again when it is their
 * turn: most of a recording is never kept, sorted or spilled.
 */
#ifndef FXT_CONVERT_SORT_STREAM_H
#define FXT_CONVERT_SORT_STREAM_H

#include "model/sched_brief.h"

struct fxt_lanes {
	struct fxt_lane **lane;
	size_t count;
	size_t extent_count;	/* of all lanes */
	__u64 noted;		/* records, likewise */
	int *fds;		/* of inputs that lanes read again */
	size_t fd_count;
};

/* How a lane's records are to be read. */
struct fxt_lane_of {
	int fd;			/* the input's, by fxt_lanes_input() */
	const struct fxt_provider *provider;	/* the spool's */
	__u32 cpu;		/* whose records they are */
	__u64 ticks_per_second;
	__u64 offset;		/* from ticks in ns to the spool's times */
};

void fxt_lanes_uninit(struct fxt_lanes *lanes);

/* An open file that lanes are to read; a file descriptor of theirs, or -errno. */
int fxt_lanes_input(struct fxt_lanes *lanes, int fd);

/* A new lane, still empty; NULL: there are too many, or no memory is left. */
struct fxt_lane *fxt_lanes_add(struct fxt_lanes *lanes, const struct fxt_lane_of *of);

/* Whether a lane's records are read so. */
bool fxt_lane_is(const struct fxt_lane *lane, const struct fxt_lane_of *of);

/*
 * Notes a record that fxt_sched_switch_read() or fxt_sched_wakeup_read() reads,
 * by its place in the input.  False where it is not this lane's next, or there
 * are too many extents: the caller keeps the record elsewhere.
 */
bool fxt_lane_note(struct fxt_lanes *lanes, struct fxt_lane *lane, const struct fxt_frame *frame,
		   __u64 ns);

/* Ends noting. */
void fxt_lanes_begin(struct fxt_lanes *lanes);

/*
 * A lane's next record as fxt_lane_record() gives it, until the next call.
 * 1, with its time; 0 at the lane's end; -errno, -EIO where the input is no
 * longer what it was.
 */
int fxt_lane_next(struct fxt_lane *lane, __u64 *ns);

/* Sets a record's kind, view and provider. */
void fxt_lane_record(const struct fxt_lane *lane, struct fxt_record *r);

#endif
