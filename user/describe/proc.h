/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads /proc. */
#ifndef FXT_DESCRIBE_PROC_H
#define FXT_DESCRIBE_PROC_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Returns whether this process sees all processes, by the ids that the kernel uses. */
int fxt_proc_global(void);

/* Returns whether /proc is mounted; without it, this process is not known to be global. */
bool fxt_proc_mounted(void);

/* Calls each() for every number that is the name of an entry of the folder. */
void fxt_proc_each(const char *path, void (*each)(__u32 number, void *arg), void *arg);

/*
 * Reads the command line of a process, with spaces between its words, cut to the space; folder is the process's folder
 * in /proc.  -errno; -ENOENT for a process without one.
 */
int fxt_proc_command(const char *folder, char *command, size_t room);

/*
 * Returns the state of a thread, or of a process's first thread by the process's id: a letter as in /proc/PID/stat; 0:
 * it has ended.
 */
char fxt_proc_state(__u32 pid);

/* Returns the effective user of a process, by its directory in /proc; -1: it has ended. */
long fxt_proc_user(int folder);

/*
 * Returns the user that a process with that effective user works for: in a user namespace, a user has thousands of
 * other users' ids, and the process works for the namespace's owner, if the owner isn't root.
 */
long fxt_proc_owner(int folder, long user);

#endif
