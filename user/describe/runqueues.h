/* SPDX-License-Identifier: GPL-2.0-only */
/* How many threads each CPU had to run, by the kernel's accounting. */
#ifndef FXT_DESCRIBE_RUNQUEUES_H
#define FXT_DESCRIBE_RUNQUEUES_H

#include <stdio.h>

#include <linux/types.h>

/* From boot on. */
struct fxt_runqueue {
	__u64 busy;		/* ticks in which a thread ran: /proc/stat */
	__u64 all;		/* ticks */
	__u64 waited;		/* ns that threads waited for the CPU, summed: /proc/schedstat */
};

/* All zero is not open: it has no CPU. */
struct fxt_runqueues {
	FILE *stat, *schedstat;
	struct fxt_runqueue *was, *now;	/* by CPU; all of one that is offline is 0 */
	unsigned int count;
};

/* Reads once; has no CPU where the kernel does no such accounting.  0 or -errno. */
int fxt_runqueues_open(struct fxt_runqueues *runqueues);

/* Reads again.  0 or -errno. */
int fxt_runqueues_read(struct fxt_runqueues *runqueues);

/* Threads that ran on a CPU or waited for it, the mean between the last two readings; negative: it was offline. */
double fxt_runqueues_mean(const struct fxt_runqueues *runqueues, unsigned int cpu, __u64 passed_ns);

void fxt_runqueues_close(struct fxt_runqueues *runqueues);

#endif
