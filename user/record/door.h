/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A socket of the abstract namespace, which anyone can connect to.  What a stranger sends
 * along may take any time to close (a connection that lingers, a file whose server doesn't
 * answer), so it is a process of its own that accepts, looks and closes.  Nobody waits for it.
 */
#ifndef FXT_DOOR_H
#define FXT_DOOR_H

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* Opened by fxt_door_open(). */
struct fxt_door {
	int from;		/* readable when somebody was let in; -1: there is no door */
	pid_t pid;
};

/*
 * Asked in the door's process: what of this caller is let in, the caller or a descriptor that
 * he sent; -EAGAIN where he has yet to say what he wants; -errno: nothing.  It may be a copy of a
 * process with threads: no memory is to be allocated, nothing locked.
 */
typedef int (*fxt_door_admit)(int caller, const struct ucred *who);

/* Listens at the name.  0; -EADDRINUSE: another has it; -errno.  Where it fails there is no door. */
int fxt_door_open(struct fxt_door *door, const char *name, fxt_door_admit admit);

/* The address of a name of the abstract namespace; its length. */
socklen_t fxt_door_address(struct sockaddr_un *address, const char *name);

/*
 * What is let in next, and who it is of, the caller's process (0: it has no id here).  -EAGAIN: nothing within that time;
 * -EPIPE: there is no door, or no longer; -EPROTO: something that got lost on the way.
 */
int fxt_door_next(struct fxt_door *door, int timeout_ms, pid_t *pid);

/* Lets in who has come until now and shuts; what is let in is still to be taken. */
void fxt_door_shut(struct fxt_door *door);

/* Gives the name back, unless the process hangs. */
void fxt_door_close(struct fxt_door *door);

/* The one descriptor that came with a message; -EAGAIN, -EPROTO, -EPIPE at the end, -errno. */
int fxt_door_receive(int from, void *bytes, size_t count);

#endif
