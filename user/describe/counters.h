/* SPDX-License-Identifier: GPL-2.0-only */
/* How the machine is, once a second: runnable threads, in all and of each CPU, and the pressure on its resources. */
#ifndef FXT_DESCRIBE_COUNTERS_H
#define FXT_DESCRIBE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "describe/runqueues.h"
#include "source/clock.h"
#include "util/sink.h"

enum fxt_counters_resource {
	FXT_COUNTERS_CPU,
	FXT_COUNTERS_MEMORY,
	FXT_COUNTERS_IO,
	FXT_COUNTERS_RESOURCES,
};

/* Microseconds in which some, or all, waited for a resource, since the machine came up. */
struct fxt_counters_stall {
	__u64 some;
	__u64 full;
};

/* All zero is not open: it never makes a record. */
struct fxt_counters {
	bool open;
	int load;			/* /proc/loadavg, a descriptor; -1: not open */
	int pressure[FXT_COUNTERS_RESOURCES];	/* likewise; -1: the kernel has none */
	struct fxt_runqueues runqueues;
	__u64 read;			/* CLOCK_MONOTONIC of the last reading */
	struct fxt_counters_stall stalls[FXT_COUNTERS_RESOURCES];
};

/* Reads for the first time.  0 or -errno. */
int fxt_counters_open(struct fxt_counters *counters);

/*
 * Once a second has passed since the last time, puts counter events of the tool's, on
 * that clock.  0 or -errno.
 */
int fxt_counters_poll(struct fxt_counters *counters, enum fxt_linux_clock clock,
		      const struct fxt_sink *to);

void fxt_counters_close(struct fxt_counters *counters);

#endif
