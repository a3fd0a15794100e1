/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines that each run would repeat otherwise. */
#ifndef FXT_UTIL_ONCE_H
#define FXT_UTIL_ONCE_H

#include <stdbool.h>

/*
 * Returns whether this user's commands have not reported a text since the machine booted; also true where that can't be
 * stored in the directory of rundir.h.
 */
bool fxt_once(const char *text);

#endif
