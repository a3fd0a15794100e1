/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines that each run would repeat. */
#ifndef FXT_UTIL_ONCE_H
#define FXT_UTIL_ONCE_H

#include <stdbool.h>

/*
 * Whether this user's commands haven't reported a text since the machine booted; true, too, where that can't be kept, in the
 * directory of rundir.h.
 */
bool fxt_once(const char *text);

#endif
