/* SPDX-License-Identifier: GPL-2.0-only */
/* Load and pressure, once a second: runnable threads, total and of each CPU, and PSI. */
#ifndef FXT_DESCRIBE_COUNTERS_H
#define FXT_DESCRIBE_COUNTERS_H

#include <stdbool.h>
#include <stdio.h>

#include "source/clock.h"
#include "util/sink.h"

enum fxt_counters_resource {
	FXT_COUNTERS_CPU,
	FXT_COUNTERS_MEMORY,
	FXT_COUNTERS_IO,
	FXT_COUNTERS_RESOURCES,
};

/* Microseconds since boot during which some tasks, or all tasks, waited for a resource. */
struct fxt_counters_stall {
	__u64 some;
	__u64 full;
};

/* Counters of a CPU since boot. */
struct fxt_runqueue {
	__u64 busy;		/* ticks with a running thread, from /proc/stat */
	__u64 all;		/* ticks */
	__u64 waited;		/* ns that threads waited for the CPU, summed up, from /proc/schedstat */
};

/* All zero is closed, without CPUs. */
struct fxt_runqueues {
	FILE *stat, *schedstat;
	struct fxt_runqueue *was, *now;	/* by CPU; all members are 0 for an offline CPU */
	unsigned int count;
};

/* All zero is closed, and never makes a record. */
struct fxt_counters {
	bool open;
	int load;			/* /proc/loadavg, a descriptor; -1: not open */
	int pressure[FXT_COUNTERS_RESOURCES];	/* descriptors; -1: the kernel has no such file */
	struct fxt_runqueues runqueues;
	__u64 read;			/* CLOCK_MONOTONIC of the last reading */
	struct fxt_counters_stall stalls[FXT_COUNTERS_RESOURCES];
};

/* Opens the files, and reads them once.  0 or -errno. */
int fxt_counters_open(struct fxt_counters *counters);

/* Puts counter events of the tool, on that clock, once a second has passed since the last ones.  0 or -errno. */
int fxt_counters_poll(struct fxt_counters *counters, enum fxt_linux_clock clock,
		      const struct fxt_sink *to);

void fxt_counters_close(struct fxt_counters *counters);

#endif
