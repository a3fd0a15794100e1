/* SPDX-License-Identifier: GPL-2.0-only */
/* Removes the rights of a process that runs a library on an untrusted file. */
#ifndef FXT_UTIL_SANDBOX_H
#define FXT_UTIL_SANDBOX_H

#include <stdbool.h>

/* The rights that remain, besides computing, open descriptors and the files of libraries. */
struct fxt_sandbox {
	char *const *trees;	/* folders that can be read */
	unsigned int tree_count;
	bool temporary;		/* files in /tmp can be created, written and removed */
};

/*
 * Leaves this process and its threads no capability except to read trees of other users, no new privileges, no file
 * except those of struct fxt_sandbox (landlock(7)), and no system call that starts a program, reaches another process,
 * opens a socket or configures the kernel (seccomp(2)).  On a kernel without landlock or seccomp, that part is missing.
 * 0 or -errno.
 */
int fxt_sandbox_enter(const struct fxt_sandbox *sandbox);

#endif
