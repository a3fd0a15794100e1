/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread that reads marks, and its shared state with the drain. */
#ifndef FXT_MARKS_READER_H
#define FXT_MARKS_READER_H

#include <pthread.h>

#include "marks/marks.h"
#include "marks/offers.h"
#include "marks/ring.h"

/* The most processes that were named and that the reader has not looked at. */
#define FXT_MARK_HINTS_MAX	8192u

struct fxt_mark_hint {
	__u32 pid, uid;
	bool memory;
};

/* The programs of a user, and their share. */
struct fxt_mark_user {
	__u32 uid;		/* the recorder's own users share the first one's */
	struct fxt_mark_ring **rings;
	size_t count, room;
	size_t first;		/* index of the ring that is read first */
	struct fxt_mark_budget budget;
	unsigned int file;	/* number of the file that the budget belongs to */
	bool throttled;		/* the budget is spent, or the drain has not taken enough */
	size_t queued;		/* bytes that were made and the drain has not taken; guarded by the lock */
	__u64 lost[FXT_LOST_CAUSES];	/* losses of ended programs, not reported yet */
	__u64 loss_start;	/* ticks */
};

struct fxt_marks {
	enum fxt_linux_clock clock;
	struct fxt_marks_to to;
	int err;		/* -errno where marks are not recorded */
	pthread_t thread;
	bool running, left;	/* the thread has to be joined; it was left running */
	/* an epoll descriptor: readable when there is an offer, or the drain asks for something */
	int ready;
	int wake;		/* an eventfd, for the drain's requests */

	pthread_mutex_t lock;
	pthread_cond_t changed;	/* wakes the drain */
	/* Guarded by lock. */
	struct fxt_mark_chunk *chunks, **chunks_end;
	struct fxt_mark_hint hints[FXT_MARK_HINTS_MAX];
	unsigned int hint_count;
	__u64 hints_dropped;
	bool start, started;	/* programs are to write; programs write */
	bool flush, flushed;	/* the drain asks for an iteration; that iteration is over */
	bool end, ended;	/* the reader is to end; the reader has ended */
	__u64 pending;		/* marks that had not been read at the end of that iteration */
	__u64 file_bytes;
	unsigned int file;	/* number of the current file */
	__u64 lost;		/* marks in total; atomic */

	/* Used by the reader alone. */
	struct fxt_mark_offers offers;
	struct fxt_mark_valid valid;
	struct fxt_mark_user users[FXT_MARK_USERS_MAX];
	unsigned int user_count;
	int memory;		/* a memfd of the recorder: programs' memory is on the same device */
	__u64 began;		/* ticks at the start */
	__u64 second;		/* CLOCK_MONOTONIC of the last once-a-second work */
	__u64 period_ns;	/* the longest time until the next iteration */
	bool crowded;		/* there are more offers than one iteration handles */
	struct fxt_mark_chunk *made, **made_end;	/* chunks made in this iteration */
	unsigned int refused;	/* programs that another recorder has */
	unsigned int surplus;	/* programs beyond a user's share */
};

/* Runs the reader's thread. */
void *fxt_mark_reader(void *marks);

/* Handles an offer. */
void fxt_mark_offered(void *marks, int fd, const struct ucred *from);

/*
 * Returns the account of a user, which may be new, or reused from a user without programs; NULL: no account is free
 * (users.c).
 */
struct fxt_mark_user *fxt_mark_user_get(struct fxt_marks *marks, __u32 uid);

/* Adds a program by its memory; from: the user according to the kernel, -1: unknown. */
void fxt_mark_program(struct fxt_marks *marks, int fd, __u32 pid, long from);
void fxt_mark_program_find(struct fxt_marks *marks, __u32 pid);

/* Reads the rings of a user, within its budget.  Returns whether a ring has more, or a writer that has not finished. */
bool fxt_mark_user_turn(struct fxt_marks *marks, struct fxt_mark_user *user, bool report, unsigned int *fullest);

/* Marks the rings of processes that have ended. */
void fxt_mark_user_ended(struct fxt_mark_user *user);

/* Reads the rest, counts marks beyond that as lost, and closes all rings. */
void fxt_mark_user_finish(struct fxt_marks *marks, struct fxt_mark_user *user);

/* Reads a ring up to the head of its last poll, at most most bytes (take.c). */
void fxt_mark_take(struct fxt_marks *marks, struct fxt_mark_user *user, struct fxt_mark_ring *ring, size_t most,
		     __u64 until_ns);

/* Reports losses that were counted for a thread, by their causes, and forgets them. */
void fxt_mark_losses_put(struct fxt_marks *marks, struct fxt_mark_user *user, __u64 pid, __u64 lost[FXT_LOST_CAUSES],
			 __u64 *since);

#endif
