/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads /proc. */
#ifndef FXT_DESCRIBE_PROC_H
#define FXT_DESCRIBE_PROC_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Whether this process sees all processes, by the ids that the kernel has for them. */
int fxt_proc_global(void);

/* Whether there is a /proc; without it, this process is not known to be global. */
bool fxt_proc_mounted(void);

/* Calls each for every number that names an entry of the folder. */
void fxt_proc_each(const char *path, void (*each)(__u32 number, void *arg), void *arg);

/*
 * The command line of a process, spaces between its words, cut to the room there
 * is; folder is its own in /proc.  -errno; -ENOENT where it has none.
 */
int fxt_proc_command(const char *folder, char *command, size_t room);

/* The state of a thread, a process's first one by its id: a letter as in /proc/PID/stat; 0: it has ended. */
char fxt_proc_state(__u32 pid);

/* The effective user of a process, by its directory in /proc; -1: it has ended. */
long fxt_proc_user(int folder);

/*
 * The user that a process works for, where its effective user is that one: in a user namespace a user has thousands of
 * others' ids, and it works for the namespace's owner, if that isn't root.
 */
long fxt_proc_owner(int folder, long user);

#endif
