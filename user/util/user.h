/* SPDX-License-Identifier: GPL-2.0-only */
/* The user that asked for this run of the tool: the caller of sudo, doas or su, where the tool runs as root. */
#ifndef FXT_UTIL_USER_H
#define FXT_UTIL_USER_H

#include <sys/types.h>

/*
 * Returns the user id of the caller.  As root: SUDO_UID, which sudo sets, or the id of the login (/proc/self/loginuid).
 * Otherwise, and where root itself has logged in, the effective user id.
 */
uid_t fxt_user_caller(void);

#endif
