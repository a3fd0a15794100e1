/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sockets at which programs that start during a recording offer their memory: one for the programs of each user, which
 * no other user can connect to.
 */
#ifndef FXT_MARKS_OFFERS_H
#define FXT_MARKS_OFFERS_H

#include <sys/socket.h>

#include "marks/porter.h"
#include "source/clock.h"
#include "util/rundir.h"

#define FXT_MARK_SOCKETS_MAX	256u
/* Connections of a user that have sent nothing yet; another one replaces the oldest. */
#define FXT_MARK_SILENT_MAX	8u

struct fxt_mark_socket {
	uid_t uid;
	int fd;
	int silent[FXT_MARK_SILENT_MAX];	/* -1: none */
	unsigned int next;	/* of these, to be replaced */
	unsigned int strikes;	/* other files than memory that came */
};

struct fxt_mark_offers {
	enum fxt_linux_clock clock;
	int lock;		/* of the directory; -1: not open */
	int ready;		/* the caller's epoll descriptor: readable when there is an offer */
	int err;		/* why there are no sockets, -errno; -EADDRINUSE: another recorder has them */
	int user_err;		/* why a user has no socket, -errno */
	struct fxt_mark_porter porter;
	unsigned int count;
	struct fxt_mark_socket sockets[FXT_MARK_SOCKETS_MAX];
	/* A program's memory, as it says; the descriptor stays the caller's. */
	void (*offered)(void *arg, int fd, const struct ucred *from);
	void *arg;
};

/* Opens the directory and the socket of this user.  clock, ready, offered and arg are set.  err is set where that fails. */
void fxt_mark_offers_open(struct fxt_mark_offers *offers);

/* Opens the socket of a user, if it has none; root's recorder alone does for others. */
void fxt_mark_offers_user(struct fxt_mark_offers *offers, uid_t uid);

/* Takes offers, for so long of each user; never waits.  Whether there may be more. */
bool fxt_mark_offers_take(struct fxt_mark_offers *offers, __u64 longest_ns);

/* No program connects from now on: what was offered before can still be taken. */
void fxt_mark_offers_end(struct fxt_mark_offers *offers);

void fxt_mark_offers_close(struct fxt_mark_offers *offers);

#endif
