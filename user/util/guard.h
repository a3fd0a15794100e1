/* SPDX-License-Identifier: GPL-2.0-only */
/* Removes a file that a signal would leave behind: one file at a time. */
#ifndef FXT_UTIL_GUARD_H
#define FXT_UTIL_GUARD_H

/* Has SIGHUP, SIGINT, SIGQUIT and SIGTERM, where they aren't ignored, remove that name of a folder first. */
void fxt_guard(int folder, const char *name);

/* Gives the signals their handlers back. */
void fxt_unguard(void);

#endif
