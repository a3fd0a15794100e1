/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Has a file that grows be on the disk, not in the machine's memory alone: in a
 * thread of its own, since fdatasync() may take long and draining may not.
 */
#ifndef FXT_SYNCER_H
#define FXT_SYNCER_H

#include <pthread.h>
#include <stdbool.h>

#include <linux/types.h>

struct fxt_syncer {
	bool running;
	pthread_t thread;
	__u64 period_ns;
	pthread_mutex_t lock;
	pthread_cond_t change;
	/* Guarded by lock. */
	int fd;			/* of the file, its own; -1: none */
	int next;		/* that follows it; -1: none */
	bool end;
	int err;		/* the first failure */
};

/* 0 or -errno. */
int fxt_syncer_open(struct fxt_syncer *syncer, __u64 period_ns);

/* What to sync from now on, a descriptor of a regular file, which stays the caller's.  -errno. */
int fxt_syncer_turn(struct fxt_syncer *syncer, int fd);

/* 0, or what syncing first failed with, -errno; 0 for one that was not opened. */
int fxt_syncer_close(struct fxt_syncer *syncer);

#endif
