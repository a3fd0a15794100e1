/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Closes descriptors in another process, as the kernel takes long for each: perf's tracepoints are unregistered one
 * after the other, each with grace periods of RCU of 20 to 80 ms.  A recorder of 1,000 tracepoints would take a minute
 * to end.
 */
#ifndef FXT_SOURCE_CLOSER_H
#define FXT_SOURCE_CLOSER_H

#include <sys/types.h>

/*
 * Forks a process that holds these descriptors, sorted, and no others, and closes them.  The caller closes its own
 * copies, which is quick then.  Returns the process's id, or -errno: then only the caller has the descriptors.
 */
pid_t fxt_closer_start(const int *descriptors, unsigned int count);

/*
 * Waits a little for the process: it has finished by then for a few tracepoints, and may outlive the recorder for more.
 */
void fxt_closer_await(pid_t closer);

#endif
