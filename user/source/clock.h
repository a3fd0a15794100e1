/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the producers' clocks from user space. */
#ifndef FXT_SOURCE_CLOCK_H
#define FXT_SOURCE_CLOCK_H

#include <stdbool.h>

#include "fxt/linux.h"

/* A moment on four clocks: ticks of the recording's clock, nanoseconds of the others. */
struct fxt_clock_sample {
	__u64 ticks;
	__u64 realtime;
	__u64 monotonic;
	__u64 boottime;
};

__u64 fxt_clock_ticks(enum fxt_linux_clock clock);
void fxt_clock_sample(enum fxt_linux_clock clock, struct fxt_clock_sample *sample);

/* Returns CLOCK_MONOTONIC in nanoseconds, for the tool's own timers. */
__u64 fxt_clock_mono(void);

/*
 * Returns whether these are the kernel's own clocks: in a time namespace they may be ahead of the kernel's, or behind.
 */
bool fxt_clock_global(void);

/* Returns whether the kernel itself uses the processor's counter as its clock. */
int fxt_clock_tsc_trusted(void);

#endif
