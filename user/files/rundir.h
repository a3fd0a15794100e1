/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The directory that lists running recorders: /run/fxtrec for those of root, /run/user/UID/fxtrec for those of another
 * user.  The mode of a file there decides which users can open it.
 */
#ifndef FXT_UTIL_RUNDIR_H
#define FXT_UTIL_RUNDIR_H

#include <stddef.h>
#include <sys/types.h>

#define FXT_RUNDIR_PATH_MAX	96	/* fits a socket's address */

/* Writes the path of a file in that user's directory; of the directory itself where name is "". */
void fxt_rundir_path(char *path, size_t room, uid_t uid, const char *name);

/* Makes this user's directory, if it is missing.  0; -EPERM: others can write there; -errno. */
int fxt_rundir_make(void);

#endif
