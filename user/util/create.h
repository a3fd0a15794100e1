/* SPDX-License-Identifier: GPL-2.0-only */
/* Creates a file that no other user has prepared. */
#ifndef FXT_UTIL_CREATE_H
#define FXT_UTIL_CREATE_H

#include <stdbool.h>

/*
 * Creates the file for its owner alone (fxt_user_give()), or empties one that is there; its
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

/*
 * Whether a path names the file or the pipe that standard output is, or leads to it by a link, whatever it is, as
 * /dev/stdout does: what is created there, or put in its place, isn't what is written to standard output.
 */
bool fxt_create_is_stdout(const char *path);

/* The same for a recorder, which waits for no file system of a user: of "-", and of paths below /dev and /proc alone. */
bool fxt_create_is_standard(const char *path);

/*
 * *target: the path that a symbolic link leads to in the end, whether a file is there or not, a heap string; NULL where
 * the path is no link, or leads to an open descriptor by /proc.  -ELOOP: one of the links is where others can write.
 * 0 or -errno, as of fxt_create().
 */
int fxt_create_target(const char *path, char **target);

/* What an -errno of fxt_create() means. */
const char *fxt_create_error(int err);

#endif
