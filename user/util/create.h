/* SPDX-License-Identifier: GPL-2.0-only */
/* Creates a file that no other user has prepared. */
#ifndef FXT_UTIL_CREATE_H
#define FXT_UTIL_CREATE_H

#include <stdbool.h>

/*
 * Creates the file for its owner alone, or empties one that is there; its
 * descriptor, or -errno.  In a directory where others can write, -ELOOP for a
 * symbolic link, and -EEXIST for a file that another user created or linked.
 * -EISDIR for a directory, with or without a slash behind its name.  A regular file is locked
 * until the descriptor is closed: -EBUSY where another one is being written so.
 */
int fxt_create(const char *path);

/* The same of a file that isn't there: -EEXIST for one that is, of whatever kind. */
int fxt_create_new(const char *path);

/* Whether a file could be created there, later: 0; -EISDIR, or what is wrong with its directory. */
int fxt_create_check(const char *path);

/* Whether another program writes a file that it created so. */
bool fxt_create_busy(const char *path);

/* What an -errno of fxt_create() means. */
const char *fxt_create_error(int err);

#endif
