/* SPDX-License-Identifier: GPL-2.0-only */
/* Describes a process beyond its name: command line, parent, control group, container. */
#ifndef FXT_DESCRIBE_PROCESS_H
#define FXT_DESCRIBE_PROCESS_H

#include <stdbool.h>

#include "describe/names.h"

/*
 * A kernel object record, which the caller frees, of a process that lives: with its command
 * line, parent, control group, container and its id in its own PID namespace, as far as it has
 * them.  No bytes for a process that has none of these, or has ended.  -ENOMEM.
 * Sets the path of the control group that limits its CPU time, which the caller frees, or leaves it NULL.
 *
 * It may wait for as long as the process is stuck: whatever reads a command line needs the
 * process's memory map, which a thread of its own may hold while a file system doesn't answer.
 */
int fxt_process_describe(__u32 pid, const struct fxt_name_entry *entry, char **records, size_t *bytes,
			 char **group);

/* Its user, ~0 where it has ended or is in another user namespace; and whether it has memory for marks (fxtrec/mark.h). */
void fxt_process_look(__u32 pid, __u32 *uid, bool *marks);

/* The user that a process works for (describe/proc.h), which is inside of this user namespace or not; -1: it has ended. */
long fxt_process_user(__u32 pid, bool inside);

/* Whether two processes have the same memory map, as far as this can be known; never waits for it. */
bool fxt_process_shares(__u32 pid, __u32 other);

#endif
