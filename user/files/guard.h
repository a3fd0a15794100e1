/* SPDX-License-Identifier: GPL-2.0-only */
/* Removes a file that a signal would leave in place: one file at a time. */
#ifndef FXT_UTIL_GUARD_H
#define FXT_UTIL_GUARD_H

/* Has SIGHUP, SIGINT, SIGQUIT and SIGTERM, unless they are ignored, remove the file of that name in a folder first. */
void fxt_guard(int folder, const char *name);

/* Restores the signals' handlers. */
void fxt_unguard(void);

#endif
