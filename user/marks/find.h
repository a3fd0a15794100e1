/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How programs that mark are found: by the name of their memory under /proc/PID/fd.  Those
 * that run are looked for; one that starts during a recording writes its process id to a
 * FIFO.  The id is a hint: the memory is taken from the process itself.
 */
#ifndef FXT_MARKS_FIND_H
#define FXT_MARKS_FIND_H

#include <stdbool.h>

#include "source/idle.h"
#include "util/rundir.h"

struct fxt_mark_find {
	int fifo;		/* readable when a program has started; -1: there is none */
	int err;		/* why there is none, -errno; -EADDRINUSE: another recorder reads it */
	char path[FXT_RUNDIR_PATH_MAX];
	int memory;		/* a memfd of our own: those of programs are on the same device */
	__u32 device[2];
	/* A program's memory; the descriptor stays the caller's.  Whether it is recorded. */
	bool (*found)(void *arg, int fd, __u32 pid, __u64 inode);
	void *arg;
	struct fxt_idle idle;	/* during a long search */
	__u32 pid, last;	/* as far as it has been read; the one before, in this poll */
	unsigned int digits;
	size_t at, filled;	/* of the buffer */
	char buffer[4096];
};

/* found and arg are set.  0 or -errno; without the FIFO it is 0, too, and err is set. */
int fxt_mark_find_open(struct fxt_mark_find *find, enum fxt_linux_clock clock);

/* Opens the FIFO.  0; -EADDRINUSE: another recorder of that clock reads it; -errno. */
int fxt_mark_find_listen(struct fxt_mark_find *find, enum fxt_linux_clock clock);

/* Looks through /proc. */
void fxt_mark_find_running(struct fxt_mark_find *find);

/*
 * Looks at the processes that announced themselves, until then at most; never waits.
 * Whether there may be more.
 */
bool fxt_mark_find_poll(struct fxt_mark_find *find, __u64 until_ns);

void fxt_mark_find_close(struct fxt_mark_find *find);

#endif
