/* SPDX-License-Identifier: GPL-2.0-only */
/* Creates a file that no other user has prepared. */
#ifndef FXT_UTIL_CREATE_H
#define FXT_UTIL_CREATE_H

#include <stdbool.h>

/*
 * Creates the file for its owner alone (fxt_user_give()), or empties an existing file.  Returns its descriptor, or
 * -errno.  In a directory where others can write: -ELOOP for a symbolic link, and -EEXIST for a file that another user
 * created or linked.  -EISDIR for a directory, with or without a slash after its name.  A regular file is locked until
 * the descriptor is closed: -EBUSY where another program holds that lock.
 */
int fxt_create(const char *path);

/* Creates a file as fxt_create() does, but returns -EEXIST where a file of any kind exists. */
int fxt_create_new(const char *path);

/* Checks whether a file could be created there later.  0; -EISDIR, or the error of its directory. */
int fxt_create_check(const char *path);

/* Returns whether another program writes a file that it created by fxt_create(). */
bool fxt_create_busy(const char *path);

/*
 * Returns whether a path names the file or pipe of standard output, or leads by a link to standard output of any kind,
 * as /dev/stdout does.  Such a path can't be created or replaced: standard output would be another file.
 */
bool fxt_create_is_stdout(const char *path);

/*
 * Does the same for a recorder, which waits for no file system of a user: checks only "-" and paths below /dev and
 * /proc.
 */
bool fxt_create_is_standard(const char *path);

/*
 * Sets *target to the path that a symbolic link finally leads to, whether a file exists there or not: a heap string.
 * NULL where the path is not a link, or leads to an open descriptor by /proc.  -ELOOP: one of the links is in a folder
 * where others can write.  0 or -errno, as fxt_create().
 */
int fxt_create_target(const char *path, char **target);

/* Returns the message for an -errno of fxt_create(). */
const char *fxt_create_error(int err);

#endif
