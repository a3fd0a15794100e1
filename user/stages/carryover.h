/* SPDX-License-Identifier: GPL-2.0-only */
/* State that a part of a trace repeats from before it: the recorder's facts, and the names that it uses. */
#ifndef FXT_STAGES_CARRYOVER_H
#define FXT_STAGES_CARRYOVER_H

#include "stages/kept.h"
#include "model/sched_view.h"

struct fxt_carryover {
	struct fxt_strings *strings;	/* the sorter's table of records' texts */
	struct fxt_map processes, threads;	/* struct fxt_kept, by koid */
	struct fxt_known *known;	/* facts in the sorter */
	struct fxt_words scratch;
	struct fxt_record r;		/* the record that is repeated */
	__u32 part;			/* number of the current part */
	__u64 part_bytes;		/* bytes repeated in the part, as FXT */
	__u64 bytes;			/* bytes repeated in all parts */
	__u64 largest;			/* size of the largest record that may be repeated, by fxt_room() */
	__u64 end_room;			/* size of the records of fxt_carryover_end() */
	bool measuring;			/* adds the sizes to measured, instead of putting records */
	__u64 measured;
	/* Receives the records; 0 or -errno. */
	int (*put)(void *state, const struct fxt_record *r);
	void *state;
};

/* Sets up the state; 0 or -errno. */
int fxt_carryover_init(struct fxt_carryover *carryover, struct fxt_strings *strings, struct fxt_known *known);
void fxt_carryover_uninit(struct fxt_carryover *carryover);

/*
 * Puts the recorder's events about itself and the machine as of a time, wherever they are in the trace; most false:
 * without the processors, as there may be many.  0 or an error of put().
 */
int fxt_carryover_know(struct fxt_carryover *carryover, __u64 ns, bool most);

/* Starts a new part, which has only the recorder's events so far. */
int fxt_carryover_begin(struct fxt_carryover *carryover, __u64 ns, bool most);

/* Returns whether a record is one of the recorder's events, and the part has it.  1, 0 or -errno. */
int fxt_carryover_has(struct fxt_carryover *carryover, const struct fxt_record *r);

/*
 * Prepares the put of a record: repeats the names that it uses and the part lacks, and keeps a copy of the record,
 * where it is a name.  0 or -errno.
 */
int fxt_carryover_record(struct fxt_carryover *carryover, const struct fxt_record *r);

/* Most names that are repeated with a record: of three threads and their processes. */
#define FXT_CARRYOVER_NAMES	6u

/* Returns the largest size of the records that fxt_carryover_record() would put, by fxt_room().  0 or -errno. */
int fxt_carryover_room(struct fxt_carryover *carryover, const struct fxt_record *r, __u64 *bytes);

/* Keeps a copy of a record that is not put, where it is a name.  0 or -errno. */
int fxt_carryover_skip(struct fxt_carryover *carryover, const struct fxt_record *r);

/* Ends the part at the start of the next part, with readings of the clocks.  0 or -errno. */
int fxt_carryover_end(struct fxt_carryover *carryover, __u64 ns);

#endif
