/* SPDX-License-Identifier: GPL-2.0-only */
/* The producers' clocks, read from user space. */
#ifndef FXT_SOURCE_CLOCK_H
#define FXT_SOURCE_CLOCK_H

#include <stdbool.h>

#include "fxt/linux.h"

/* One moment on four clocks: ticks of the recording's, nanoseconds of the others. */
struct fxt_clock_sample {
	__u64 ticks;
	__u64 realtime;
	__u64 monotonic;
	__u64 boottime;
};

__u64 fxt_clock_ticks(enum fxt_linux_clock clock);
void fxt_clock_sample(enum fxt_linux_clock clock, struct fxt_clock_sample *sample);

/* CLOCK_MONOTONIC in nanoseconds, for the tool's own timers. */
__u64 fxt_clock_mono(void);

/* Whether these are the kernel's own clocks: in a time namespace they may be ahead of them, or behind. */
bool fxt_clock_global(void);

/* Whether the kernel itself keeps time by the processor's counter. */
int fxt_clock_tsc_trusted(void);

#endif
