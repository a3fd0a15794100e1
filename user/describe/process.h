/* SPDX-License-Identifier: GPL-2.0-only */
/* Describes a process beyond its name: command line, parent, control group, container. */
#ifndef FXT_DESCRIBE_PROCESS_H
#define FXT_DESCRIBE_PROCESS_H

#include <stdbool.h>

#include "describe/names.h"

/*
 * Makes a kernel object record, which the caller frees, of a living process: with its command line, parent, control
 * group, container and its id in its own PID namespace, as far as they exist.  No bytes for a process that has none of
 * them, or has ended.  -ENOMEM.  Sets *group to the path of the control group that limits its CPU time, which the
 * caller frees, or leaves it NULL.
 *
 * The call may wait for as long as the process is stuck: reading a command line needs the process's memory map, which
 * one of the process's threads may hold while a file system doesn't answer.
 */
int fxt_process_describe(__u32 pid, const struct fxt_name_entry *entry, char **records, size_t *bytes,
			 char **group);

/*
 * Sets the user of a process, ~0 if it has ended or is in another user namespace; and whether it has memory for marks
 * (fxtrec/mark.h).
 */
void fxt_process_look(__u32 pid, __u32 *uid, bool *marks);

/*
 * Returns the user that a process works for (describe/proc.h): with inside, as for a process of this namespace, its
 * effective user.  -1: the process has ended.
 */
long fxt_process_user(__u32 pid, bool inside);

/* Returns whether two processes have the same memory map, as far as this can be known; never waits for the map. */
bool fxt_process_shares(__u32 pid, __u32 other);

#endif
