/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads that describe processes, for the describer alone: a process that is stuck keeps one of them. */
#ifndef FXT_DESCRIBE_WORKERS_H
#define FXT_DESCRIBE_WORKERS_H

#include <stdbool.h>

#include "describe/names.h"
#include "source/clock.h"

/* A process, or a reading of a control group, that is asked for, and later what is known of it. */
struct fxt_description {
	struct fxt_description *next;
	__u32 pid;
	__u32 user;		/* that has the share of the workers that it takes */
	struct fxt_description *sharing;	/* processes with the same memory map, which wait for this one */
	bool postponed;		/* it seemed to be stuck, and comes after all others */
	bool renamed;		/* while it waited, after it was looked at */
	bool looked;		/* uid and marks alone are known */
	bool ended;		/* before it was looked at */
	struct fxt_name_entry name;	/* that it had then */
	__u32 uid;		/* ~0: it has ended, or is in another user namespace */
	bool marks;		/* its program has memory for marks, by the descriptor that it has for that */
	bool reading;		/* of a group's quota: there is no process */
	bool gone;		/* the group that was to be read */
	enum fxt_linux_clock clock;	/* of the reading */
	char *group;		/* that is read, or that limits the process; NULL: none */
	char *records;
	size_t bytes;		/* 0: there is nothing to describe */
};

struct fxt_workers;

/* NULL: no memory. */
struct fxt_workers *fxt_workers_open(void);

/* Doesn't wait for a process: a thread that is stuck has its part of the memory until the recorder's end. */
void fxt_workers_close(struct fxt_workers *w);

/* Asks for those of a list, which is the workers' from then on. */
void fxt_workers_ask(struct fxt_workers *w, struct fxt_description *list);

/* Those that have been described since the last time, which are the caller's; 0 or -errno of a worker. */
int fxt_workers_take(struct fxt_workers *w, struct fxt_description **list);

/* Waits for a moment, until there is one to be taken; how many were asked for and are not described. */
__u64 fxt_workers_rest(struct fxt_workers *w);

/* Whether any has something to do and needs no more for it than a CPU, or has not started yet. */
bool fxt_workers_run(struct fxt_workers *w);

/* Processes that keep a worker asleep, by id and name; returns how many others are left, or were not taken. */
__u64 fxt_workers_stuck(struct fxt_workers *w, void *arg, void (*each)(__u32 pid, const char *name, void *arg));

void fxt_description_free(void *description);

#endif
