/* SPDX-License-Identifier: GPL-2.0-only */
/* What a part of a trace repeats of what is before it: the recorder's facts, and the names that it uses. */
#ifndef FXT_CONVERT_CARRYOVER_H
#define FXT_CONVERT_CARRYOVER_H

#include "codec/encode.h"
#include "convert/sort/entry.h"

struct fxt_carryover {
	struct fxt_strings *strings;	/* the sorter's, which records' texts are in */
	struct fxt_map processes, threads;	/* by koid: struct fxt_carried */
	struct fxt_map known;		/* the recorder's events, by what they are */
	struct fxt_carried *first, **last;	/* these, in the order of arrival */
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

void fxt_carryover_init(struct fxt_carryover *carryover, struct fxt_strings *strings,
			struct fxt_spill *spill);
void fxt_carryover_uninit(struct fxt_carryover *carryover);

/*
 * A new part begins, which has nothing yet: repeats the recorder's events about itself
 * and the machine as of that time; without the processors, of which there may be any
 * number, where most is false.  0 or what put() fails with.
 */
int fxt_carryover_begin(struct fxt_carryover *carryover, __u64 ns, bool most);

/*
 * Before a record is put: repeats the names that it uses and the part doesn't have,
 * and keeps a copy of the record, where it is one of those.  0 or -errno.
 */
int fxt_carryover_record(struct fxt_carryover *carryover, const struct fxt_record *r);

/* At most so many names are repeated with a record: of three threads and their processes. */
#define FXT_CARRYOVER_NAMES	6u

/* What fxt_carryover_record() would put at most, as fxt_room() has it.  0 or -errno. */
int fxt_carryover_room(struct fxt_carryover *carryover, const struct fxt_record *r, __u64 *bytes);

/* Keeps a copy of a record that is not put, where it is one of those.  0 or -errno. */
int fxt_carryover_skip(struct fxt_carryover *carryover, const struct fxt_record *r);

/* The part ends there, where the next one begins: a reading of the clock says so.  0 or -errno. */
int fxt_carryover_end(struct fxt_carryover *carryover, __u64 ns);

/* Puts those of the recorder's events, as of that time, that the part doesn't have.  0 or -errno. */
int fxt_carryover_complete(struct fxt_carryover *carryover, __u64 ns);

#endif
