/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks of programs (include/fxtrec/mark.h): finds the programs, and checks and writes
 * their records.  Documentation/marks.rst.
 */
#ifndef FXT_MARKS_MARKS_H
#define FXT_MARKS_MARKS_H

#include <stdbool.h>

#include "codec/decoder.h"
#include "describe/names.h"
#include "marks/find.h"
#include "marks/ring.h"
#include "source/clock.h"
#include "util/sink.h"

#define FXT_MARKS_PROGRAMS_MAX	1024u

/* Checks records of programs. */
struct fxt_mark_valid {
	struct fxt_decoder decoder;	/* without any string or thread: references are invalid */
	struct fxt_record record;
};

void fxt_mark_valid_init(struct fxt_mark_valid *valid);
void fxt_mark_valid_uninit(struct fxt_mark_valid *valid);

/*
 * Whether it is an instant, a counter of one number, or the begin, the end or all of a
 * duration, as the format has it; of that process; of the category "user" or one below
 * it.  The record's fields are in valid->record then.
 */
bool fxt_mark_is_valid(struct fxt_mark_valid *valid, const __u64 *w, unsigned int words, __u32 pid);

/* Where the records go, and which process a thread belongs to. */
struct fxt_marks_to {
	const struct fxt_names *names;
	/* Drains the INFO rings into the names; 0 or -errno. */
	int (*names_take)(void *arg);
	struct fxt_sink sink;	/* for records in the tool's section */
	/* From the start on called now and then during a long search, or NULL; 0 or -errno. */
	int (*on_idle)(void *arg);
	void *arg;
};

/* All zero is not open: it finds no program and writes no record. */
struct fxt_marks {
	bool open;
	int err;		/* why it is not open, where it should be */
	bool searched;		/* those that ran at the beginning have been looked for */
	bool taking;		/* programs are on */
	bool flooded;		/* by hints: there are more than one poll takes */
	bool crowded;		/* flooded since it was last looked for programs */
	enum fxt_linux_clock clock;
	struct fxt_marks_to to;
	struct fxt_mark_find find;
	struct fxt_mark_valid valid;
	struct fxt_mark_ring *rings[FXT_MARKS_PROGRAMS_MAX];
	unsigned int count;
	unsigned int first;	/* the ring that is read first */
	bool names_drained;	/* since the heads of this poll were read */
	int failed;		/* what was done on idle, -errno */
	__u64 began;		/* ticks */
	__u64 second;		/* CLOCK_MONOTONIC, of what is done once a second */
	__u64 period_ns;	/* until the next poll, at most */
	unsigned int refused;	/* programs that are another recorder's */
	unsigned int surplus;	/* programs beyond FXT_MARKS_PROGRAMS_MAX */
	__u64 lost;		/* records, in all */
	__u64 records;		/* written */
};

/* Finds programs that run; one that starts from now on writes.  Where that can't be, err says why. */
void fxt_marks_open(struct fxt_marks *marks, enum fxt_linux_clock clock,
		    const struct fxt_marks_to *to);

/* Has all programs write. */
void fxt_marks_start(struct fxt_marks *marks);

/* The descriptor that is readable once a program has started, to be polled; -1: none is to be. */
int fxt_marks_fd(const struct fxt_marks *marks);

/* Writes what they have written; 0, -ENOMEM, or -errno of the sink. */
int fxt_marks_poll(struct fxt_marks *marks);

/* Switches all programs off, and writes what is left. */
int fxt_marks_finish(struct fxt_marks *marks);

void fxt_marks_close(struct fxt_marks *marks);

/* What a summary says of marks, by the reporter. */
void fxt_marks_report(const struct fxt_marks *marks);

/* Writes one ring's records up to the head that was read, and reports its losses. */
int fxt_marks_take(struct fxt_marks *marks, struct fxt_mark_ring *ring, bool report);

/* Lost records that are not reported yet. */
__u64 fxt_marks_unreported(const struct fxt_mark_ring *ring);

#endif
