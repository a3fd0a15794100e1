/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sockets that programs, which start during a recording, offer their memory at: one for the programs of each user,
 * which no other user can connect to.
 */
#ifndef FXT_MARKS_OFFERS_H
#define FXT_MARKS_OFFERS_H

#include <sys/socket.h>

#include "marks/porter.h"
#include "source/clock.h"
#include "files/rundir.h"

#define FXT_MARK_SOCKETS_MAX	256u
/* Connections of a user that have sent nothing yet; another one replaces the oldest. */
#define FXT_MARK_SILENT_MAX	8u

struct fxt_mark_socket {
	uid_t uid;
	int fd;
	int silent[FXT_MARK_SILENT_MAX];	/* -1: none */
	unsigned int next;	/* index of the silent connection to replace next */
	unsigned int strikes;	/* number of files other than memory that came */
};

struct fxt_mark_offers {
	enum fxt_linux_clock clock;
	int lock;		/* lock of the directory; -1: not open */
	int ready;		/* the caller's epoll descriptor: readable when an offer has come */
	int err;		/* -errno where there are no sockets; -EADDRINUSE: another recorder has them */
	int user_err;		/* -errno where a user has no socket */
	struct fxt_mark_porter porter;
	unsigned int count;
	struct fxt_mark_socket sockets[FXT_MARK_SOCKETS_MAX];
	/* Handles a program's memory, as the program claims; the caller still owns the descriptor. */
	void (*offered)(void *arg, int fd, const struct ucred *from);
	void *arg;
};

/*
 * Opens the directory and the socket of this user.  clock, ready, offered and arg are set by the caller.  Sets err on
 * failure.
 */
void fxt_mark_offers_open(struct fxt_mark_offers *offers);

/* Opens the socket of a user, if it is missing; only root's recorder does for other users. */
void fxt_mark_offers_user(struct fxt_mark_offers *offers, uid_t uid);

/* Receives offers for up to longest_ns of each user; never waits.  Returns whether there may be more. */
bool fxt_mark_offers_take(struct fxt_mark_offers *offers, __u64 longest_ns);

/* Ends connecting: no program connects from now on, and earlier offers can still be received. */
void fxt_mark_offers_end(struct fxt_mark_offers *offers);

void fxt_mark_offers_close(struct fxt_mark_offers *offers);

#endif
