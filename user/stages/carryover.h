/* SPDX-License-Identifier: GPL-2.0-only */
/* What a part of a trace repeats of what is before it: the recorder's facts, and the names that it uses. */
#ifndef FXT_STAGES_CARRYOVER_H
#define FXT_STAGES_CARRYOVER_H

#include "stream/kept.h"
#include "model/sched_view.h"

struct fxt_carryover {
	struct fxt_strings *strings;	/* the sorter's, which records' texts are in */
	struct fxt_map processes, threads;	/* by koid: struct fxt_kept */
	struct fxt_known *known;	/* the sorter's */
	struct fxt_words scratch;
	struct fxt_record r;		/* the one that is repeated */
	__u32 part;			/* the number of the current one */
	__u64 part_bytes;		/* repeated in it, as FXT */
	__u64 bytes;			/* in all parts */
	__u64 largest;			/* what one that is repeated takes at most, as fxt_room() has it */
	__u64 end_room;			/* what fxt_carryover_end() puts */
	bool measuring;			/* what would be put is added to measured */
	__u64 measured;
	/* Where records are put; 0 or -errno. */
	int (*put)(void *state, const struct fxt_record *r);
	void *state;
};

/* 0 or -errno. */
int fxt_carryover_init(struct fxt_carryover *carryover, struct fxt_strings *strings, struct fxt_known *known);
void fxt_carryover_uninit(struct fxt_carryover *carryover);

/*
 * Puts the recorder's events about itself and the machine as of that time, wherever in the trace they
 * are; without the processors, of which there may be any number, where most is false.  0 or what put() fails with.
 */
int fxt_carryover_know(struct fxt_carryover *carryover, __u64 ns, bool most);

/* A new part begins, which has nothing yet but these. */
int fxt_carryover_begin(struct fxt_carryover *carryover, __u64 ns, bool most);

/* Whether a record is one of these, and the part has it.  1, 0 or -errno. */
int fxt_carryover_has(struct fxt_carryover *carryover, const struct fxt_record *r);

/*
 * Before a record is put: repeats the names that it uses and the part doesn't have, and
 * keeps a copy of the record, where it is a name.  0 or -errno.
 */
int fxt_carryover_record(struct fxt_carryover *carryover, const struct fxt_record *r);

/* At most so many names are repeated with a record: of three threads and their processes. */
#define FXT_CARRYOVER_NAMES	6u

/* What fxt_carryover_record() would put at most, as fxt_room() has it.  0 or -errno. */
int fxt_carryover_room(struct fxt_carryover *carryover, const struct fxt_record *r, __u64 *bytes);

/* Keeps a copy of a record that is not put, where it is a name.  0 or -errno. */
int fxt_carryover_skip(struct fxt_carryover *carryover, const struct fxt_record *r);

/* The part ends there, where the next one begins: readings of the clocks say so.  0 or -errno. */
int fxt_carryover_end(struct fxt_carryover *carryover, __u64 ns);

#endif
