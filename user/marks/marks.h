/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks of programs (include/fxtrec/mark.h): a thread of normal priority finds the programs, and checks and meters
 * their records; the drain takes the records from it.  Documentation/marks.rst.
 */
#ifndef FXT_MARKS_MARKS_H
#define FXT_MARKS_MARKS_H

#include <stdbool.h>

#include "codec/decoder.h"
#include "describe/names.h"
#include "marks/share.h"
#include "model/loss.h"
#include "source/clock.h"

/* Checks records of programs. */
struct fxt_mark_valid {
	struct fxt_decoder decoder;	/* without any string or thread: references are invalid */
	struct fxt_record record;
};

void fxt_mark_valid_init(struct fxt_mark_valid *valid);
void fxt_mark_valid_uninit(struct fxt_mark_valid *valid);

/*
 * Returns whether a record is an instant, a counter of one number, or the begin, the end or the whole of a duration,
 * well-formed; of that process; of the category "user" or one below it.  The record's fields are in valid->record then.
 */
bool fxt_mark_is_valid(struct fxt_mark_valid *valid, const __u64 *w, unsigned int words, __u32 pid);

/* Records of one program, for the tool's section. */
struct fxt_mark_chunk {
	struct fxt_mark_chunk *next;
	char *records;
	size_t bytes;
	__u32 marks;		/* number of marks in the records, or reported as lost by them */
	__u32 pid;
	__u32 tid;		/* thread of all records, if the names have it as the process's; 0: checked already */
	unsigned int user;	/* below FXT_MARK_USERS_MAX */
	bool hot;		/* the program marks a lot */
};

/* The destination of chunks, and the names that map threads to processes. */
struct fxt_marks_to {
	const struct fxt_names *names;
	/* Drains the INFO rings into the names; 0 or -errno. */
	int (*names_take)(void *arg);
	/* Puts a chunk, which the caller still owns; 0 or -errno. */
	int (*put)(void *arg, const struct fxt_mark_chunk *chunk);
	/* Called now and then during the wait for the end; 0 or -errno. */
	int (*on_idle)(void *arg);
	void *arg;
};

/* NULL, for all functions below, is without marks. */
struct fxt_marks;

/*
 * Starts the thread, which finds programs that start from now on.  -ENOMEM.  Where marks can't be recorded, the report
 * has the reason.
 */
int fxt_marks_open(struct fxt_marks **marks, enum fxt_linux_clock clock, const struct fxt_marks_to *to);

/* Names a running process, with its user, ~0 if the user is to have no socket; memory: it has memory for marks. */
void fxt_marks_hint(struct fxt_marks *marks, __u32 pid, __u32 uid, bool memory);

/* Has all named programs write, and waits a little for that. */
void fxt_marks_start(struct fxt_marks *marks);

/* Starts a file of at most bytes; 0: no limit. */
void fxt_marks_file(struct fxt_marks *marks, __u64 bytes);

/* Puts a limited part of the records that the thread has read; never waits.  0 or -errno. */
int fxt_marks_poll(struct fxt_marks *marks);

/*
 * Puts all marks that programs have written so far, within their budgets, and counts the rest in *left; takes at most a
 * tenth of a second.  0 or -errno.
 */
int fxt_marks_flush(struct fxt_marks *marks, __u64 *left);

/* Switches all programs off, and puts the rest of their marks; takes less than a second.  0 or -errno. */
int fxt_marks_finish(struct fxt_marks *marks);

void fxt_marks_close(struct fxt_marks *marks);

/* Returns the number of marks that were lost so far. */
__u64 fxt_marks_lost(const struct fxt_marks *marks);

/* Writes the records of losses, on the first thread of the process; returns the number of lost marks. */
__u64 fxt_marks_losses_write(FILE *f, __u64 pid, const __u64 lost[FXT_LOST_CAUSES], __u64 since, __u64 now);

/* Reports the summary's lines on marks; all: also lines that fxt_once() would suppress. */
void fxt_marks_report(const struct fxt_marks *marks, bool all);

#endif
