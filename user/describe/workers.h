/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that describe processes, only for the describer: a stuck process occupies one of them. */
#ifndef FXT_DESCRIBE_WORKERS_H
#define FXT_DESCRIBE_WORKERS_H

#include <stdbool.h>

#include "describe/names.h"
#include "describe/objects.h"
#include "source/clock.h"

/* A request for a process or for a reading of a control group, and later its result. */
struct fxt_description {
	struct fxt_description *next;
	__u32 pid;
	__u32 user;		/* user that the used worker counts for */
	/* requests for processes with the same memory map, which wait for this one */
	struct fxt_description *sharing;
	bool postponed;		/* the process seemed to be stuck, and comes after all others */
	bool renamed;		/* renamed while the request waited, after the process was looked at */
	bool looked;		/* only uid and marks are known */
	bool ended;		/* the process ended before it was looked at */
	struct fxt_name_entry name;	/* name at the time of the request */
	__u32 uid;		/* ~0: the process has ended, or is in another user namespace */
	bool marks;		/* the program has memory for marks, judged by its descriptor */
	bool reading;		/* a reading of a group's quota, or of the objects of process pid if that isn't 0 */
	bool cut;		/* a limit left objects out */
	bool gone;		/* the group has gone */
	enum fxt_linux_clock clock;	/* clock of the reading */
	char *group;		/* path of the group to read, or of the group that limits the process; NULL: none */
	char *records;
	size_t bytes;		/* 0: nothing to describe */
};

struct fxt_workers;

/* Opens the workers.  NULL: no memory. */
struct fxt_workers *fxt_workers_open(void);

/*
 * Closes the workers without waiting for a process: a stuck thread keeps its part of the memory until the recorder's
 * end.
 */
void fxt_workers_close(struct fxt_workers *w);

/* Asks for the descriptions of a list, which belongs to the workers from then on. */
void fxt_workers_ask(struct fxt_workers *w, struct fxt_description *list);

/*
 * Sets *list to the descriptions that were finished since the last call, which belong to the caller.  0 or a worker's
 * -errno.
 */
int fxt_workers_take(struct fxt_workers *w, struct fxt_description **list);

/* Waits for a moment, until a description can be taken; returns the number of requests that are not done. */
__u64 fxt_workers_rest(struct fxt_workers *w);

/* Returns whether any worker is busy and needs only a CPU to continue, or has not started yet. */
bool fxt_workers_run(struct fxt_workers *w);

/*
 * Calls each() with id and name of the processes that keep a worker asleep; returns the number of other processes that
 * are not done.
 */
__u64 fxt_workers_stuck(struct fxt_workers *w, void *arg, void (*each)(__u32 pid, const char *name, void *arg));

/* Returns the objects that were named. */
struct fxt_naming *fxt_workers_naming(struct fxt_workers *w);

void fxt_description_free(void *description);

#endif
