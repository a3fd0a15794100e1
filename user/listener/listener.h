/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A socket of the abstract namespace, which anyone can connect to.  What a stranger sends
 * along may take any time to close (a connection that lingers, a file whose server doesn't
 * answer).  So it is a process of its own that answers, and another one where that has got such
 * a thing.  Nobody waits for these, neither the recorder nor who calls next.
 */
#ifndef FXT_LISTENER_LISTENER_H
#define FXT_LISTENER_LISTENER_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* Opened by fxt_door_open(). */
struct fxt_door {
	int from;		/* readable when somebody was let in; -1: there is no door */
	pid_t pid;
};

/*
 * Asked in a process of its own: whether what this caller said is to be let in, with the descriptor
 * that he sent, or with the caller himself where he sent none (-1).  It may be a copy of a process
 * with threads: no memory is to be allocated, nothing locked.
 */
typedef bool (*fxt_door_admit)(const struct ucred *who, const void *said, size_t bytes, int fd);

/* Listens at the name.  0; -EADDRINUSE: another has it; -errno.  Where it fails there is no door. */
int fxt_door_open(struct fxt_door *door, const char *name, fxt_door_admit admit);

/* The address of a name of the abstract namespace; its length. */
socklen_t fxt_door_address(struct sockaddr_un *address, const char *name);

/*
 * What is let in next, and the process whose it is (0: it has no id here).  -EAGAIN: nothing
 * within that time; -EPIPE: there is no door, or no longer; -EPROTO, -E2BIG: something that got
 * lost on the way.
 */
int fxt_door_next(struct fxt_door *door, int timeout_ms, pid_t *pid);

/* Lets in who has come until now and shuts; what is let in is still to be taken. */
void fxt_door_shut(struct fxt_door *door);

/* Gives the name back, unless the process hangs. */
void fxt_door_close(struct fxt_door *door);

#endif
