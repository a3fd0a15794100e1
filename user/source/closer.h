/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that closes descriptors, as the kernel takes its time for each: perf's tracepoints
 * are unregistered one after the other, each with grace periods of RCU, which is 20 to 80 ms.
 * A recorder of 1,000 tracepoints would take a minute to end.
 */
#ifndef FXT_SOURCE_CLOSER_H
#define FXT_SOURCE_CLOSER_H

#include <sys/types.h>

/*
 * Forks a process that has these descriptors open, sorted, and closes them; it holds no other.
 * The caller closes its own, which is quick then.  Its id, or -errno: then they are the
 * caller's alone.
 */
pid_t fxt_closer_start(const int *descriptors, unsigned int count);

/* Waits for it, but not for long: it is done for a few tracepoints, and needs no one for more. */
void fxt_closer_await(pid_t closer);

#endif
