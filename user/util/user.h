/* SPDX-License-Identifier: GPL-2.0-only */
/* The user that asked for this run of the tool: the caller of sudo, pkexec, doas or su, where the tool runs as root. */
#ifndef FXT_UTIL_USER_H
#define FXT_UTIL_USER_H

#include <sys/types.h>

/*
 * Returns the user id of the caller.  As root: the caller of sudo (SUDO_UID), pkexec (PKEXEC_UID) or doas
 * (DOAS_USER), or the id of the login (/proc/self/loginuid).
 * Otherwise, and where root itself has logged in, the effective user id.
 */
uid_t fxt_user_caller(void);

/*
 * Gives an open regular file of root, and its group, to the caller of sudo, pkexec or doas, where the tool runs as root.
 * A login as root, as by su, keeps its files.
 */
void fxt_user_give(int fd);

#endif
