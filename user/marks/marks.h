/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs write into the recording by themselves (include/fxtrec/mark.h): who they
 * are, and their records, checked.  Documentation/marks.rst.
 */
#ifndef FXT_MARKS_MARKS_H
#define FXT_MARKS_MARKS_H

#include <stdbool.h>

#include "describe/names.h"
#include "marks/find.h"
#include "marks/ring.h"
#include "marks/valid.h"
#include "source/clock.h"
#include "util/sink.h"

#define FXT_MARKS_PROGRAMS_MAX	1024u

/* Where the records go, and who tells which thread is whose. */
struct fxt_marks_to {
	const struct fxt_names *names;
	/* Takes in the names that the producers have told; 0 or -errno. */
	int (*names_take)(void *arg);
	struct fxt_sink sink;	/* for records of the tool's */
	/* From the start on called now and then during a long search, or NULL; 0 or -errno. */
	int (*on_idle)(void *arg);
	void *arg;
};

/* All zero is not open: it finds nobody and makes no record. */
struct fxt_marks {
	bool open;
	int err;		/* why it is not open, where it should be */
	bool searched;		/* those that ran at the beginning have been looked for */
	bool taking;		/* programs are on */
	bool flooded;		/* by hints: there are more than one look takes */
	enum fxt_linux_clock clock;
	struct fxt_marks_to to;
	struct fxt_mark_find find;
	struct fxt_mark_valid valid;
	struct fxt_mark_ring *rings[FXT_MARKS_PROGRAMS_MAX];
	unsigned int count;
	unsigned int first;	/* whose turn it is */
	bool names_taken;	/* since this look's heads */
	int failed;		/* what was done on idle, -errno */
	__u64 began;		/* ticks */
	__u64 looked;		/* CLOCK_MONOTONIC, of what is done once a second */
	__u64 period_ns;	/* until the next look, at most */
	unsigned int refused;	/* programs that are another recorder's, or too many */
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

/* Takes what they have written; 0, -ENOMEM, or what to fails with. */
int fxt_marks_look(struct fxt_marks *marks);

/* Has all programs end, and takes the last of it. */
int fxt_marks_finish(struct fxt_marks *marks);

void fxt_marks_close(struct fxt_marks *marks);

/* What is to be said in the end, a line each. */
void fxt_marks_report(const struct fxt_marks *marks, FILE *to);

/* Takes one ring's records up to where it was looked at, and has its losses told. */
int fxt_marks_take(struct fxt_marks *marks, struct fxt_mark_ring *ring, bool tell);

/* Lost records that were not told of. */
__u64 fxt_marks_unreported(const struct fxt_mark_ring *ring);

#endif
