/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How programs that mark are found: those that run, by the name of their memory under
 * /proc/PID/fd; those that begin, by their knocking at a socket.
 */
#ifndef FXT_MARKS_FIND_H
#define FXT_MARKS_FIND_H

#include "fxt/linux.h"
#include "listener/listener.h"

struct fxt_mark_find {
	struct fxt_door door;	/* shut: another recorder of that clock has the socket */
	int memory;		/* a memfd of our own: theirs are on the same device */
	__u32 device[2];
	/* A program's memory, which stays the caller's. */
	void (*found)(void *arg, int fd, __u32 pid, __u64 inode);
	/* Called now and then while it looks for long; NULL: nothing is. */
	void (*meanwhile)(void *arg);
	void *arg;
	__u64 called;		/* meanwhile, CLOCK_MONOTONIC */
};

/* found and arg are set.  0 or -errno; without the socket it is 0, too. */
int fxt_mark_find_open(struct fxt_mark_find *find, enum fxt_linux_clock clock);

/* Tries again to have the socket; 0 or -errno. */
int fxt_mark_find_listen(struct fxt_mark_find *find, enum fxt_linux_clock clock);

/* Looks through /proc. */
void fxt_mark_find_running(struct fxt_mark_find *find);

/* Takes what has come to the socket, for so long at most; never waits. */
void fxt_mark_find_knocking(struct fxt_mark_find *find, __u64 until_ns);

/* Takes who has come until now, and closes. */
void fxt_mark_find_finish(struct fxt_mark_find *find);

void fxt_mark_find_close(struct fxt_mark_find *find);

#endif
