/* SPDX-License-Identifier: GPL-2.0-only */
/* The thread that reads marks, and what it shares with the drain. */
#ifndef FXT_MARKS_READER_H
#define FXT_MARKS_READER_H

#include <pthread.h>

#include "marks/marks.h"
#include "marks/offers.h"
#include "marks/ring.h"

/* Processes that were named and that the reader has not looked at. */
#define FXT_MARK_HINTS_MAX	8192u

struct fxt_mark_hint {
	__u32 pid, uid;
	bool memory;
};

/* The programs of a user, and what they may take. */
struct fxt_mark_user {
	__u32 uid;		/* the recorder's own have the first one's */
	struct fxt_mark_ring **rings;
	size_t count, room;
	size_t first;		/* the ring that is read first */
	struct fxt_mark_budget budget;
	unsigned int file;	/* the file that the budget is of */
	bool throttled;		/* the budget is spent, or the drain has not taken enough */
	size_t queued;		/* bytes that were made and the drain has not taken; guarded by the lock */
	__u64 lost[FXT_LOST_CAUSES];	/* of programs that have ended, and not reported */
	__u64 loss_start;	/* ticks */
};

struct fxt_marks {
	enum fxt_linux_clock clock;
	struct fxt_marks_to to;
	int err;		/* why marks are not recorded, -errno */
	pthread_t thread;
	bool running, left;	/* the thread is to be joined; it was not waited for */
	int ready;		/* an epoll descriptor: there is an offer, or the drain asks for something */
	int wake;		/* an eventfd, for the latter */

	pthread_mutex_t lock;
	pthread_cond_t changed;	/* for the drain */
	/* Guarded by lock. */
	struct fxt_mark_chunk *chunks, **chunks_end;
	struct fxt_mark_hint hints[FXT_MARK_HINTS_MAX];
	unsigned int hint_count;
	__u64 hints_dropped;
	bool start, started;	/* programs are to write; they do */
	bool flush, flushed;	/* the drain asks for a turn; such a turn is over */
	bool end, ended;	/* the reader is to end; it has */
	__u64 pending;		/* marks that had not been read when that turn was over */
	__u64 file_bytes;
	unsigned int file;	/* counts files */
	__u64 lost;		/* atomic: marks, in all */

	/* The reader's. */
	struct fxt_mark_offers offers;
	struct fxt_mark_valid valid;
	struct fxt_mark_user users[FXT_MARK_USERS_MAX];
	unsigned int user_count;
	int memory;		/* a memfd of its own: those of programs are on the same device */
	__u64 began;		/* ticks */
	__u64 second;		/* CLOCK_MONOTONIC, of what is done once a second */
	__u64 period_ns;	/* until the next turn, at most */
	bool crowded;		/* there are more offers than one turn takes */
	struct fxt_mark_chunk *made, **made_end;	/* in this turn */
	unsigned int refused;	/* programs that are another recorder's */
	unsigned int surplus;	/* programs beyond a user's share */
};

/* The thread. */
void *fxt_mark_reader(void *marks);

/* Takes an offer. */
void fxt_mark_offered(void *marks, int fd, const struct ucred *from);

/* users.c: the account of a user, which may be a new one, or one that nothing uses any more; NULL: there is none. */
struct fxt_mark_user *fxt_mark_user_get(struct fxt_marks *marks, __u32 uid);

/* Takes a program by its memory; from is the user by the kernel's word, -1: not known. */
void fxt_mark_program(struct fxt_marks *marks, int fd, __u32 pid, long from, bool offered);
void fxt_mark_program_find(struct fxt_marks *marks, __u32 pid);

/* Reads the rings of a user, within its budget.  Whether a ring has more, or a writer that has not finished. */
bool fxt_mark_user_turn(struct fxt_marks *marks, struct fxt_mark_user *user, bool report, unsigned int *fullest);

/* Marks the rings of processes that have ended. */
void fxt_mark_user_ended(struct fxt_mark_user *user);

/* Reads what is left, counts the rest as lost, and closes all rings. */
void fxt_mark_user_finish(struct fxt_marks *marks, struct fxt_mark_user *user);

/* take.c: reads one ring up to the head that was read, so many bytes at most. */
void fxt_mark_take(struct fxt_marks *marks, struct fxt_mark_user *user, struct fxt_mark_ring *ring, size_t most,
		     __u64 until_ns);

/* Reports losses that were counted for a thread, by their causes, and forgets them. */
void fxt_mark_losses_put(struct fxt_marks *marks, struct fxt_mark_user *user, __u64 pid, __u64 lost[FXT_LOST_CAUSES],
			 __u64 *since);

#endif
