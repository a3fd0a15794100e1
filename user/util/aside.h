/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs what may wait for ever, for a file system for example, in a thread of its own. */
#ifndef FXT_UTIL_ASIDE_H
#define FXT_UTIL_ASIDE_H

#include "util/patience.h"

/* A list of such; NULL is empty. */
struct fxt_aside;

/* Adds one that runs.  0; -errno without memory or a thread: it does not run. */
int fxt_aside_add(struct fxt_aside **list, void (*run)(void *arg), void *arg);

/* Whether all have ended, so that fxt_aside_end() does not wait. */
bool fxt_aside_done(const struct fxt_aside *list);

/*
 * Waits for all, and empties the list.  -ECANCELED where that is given up: they go on, so their
 * arguments have to stay.
 */
int fxt_aside_end(struct fxt_aside **list, const struct fxt_patience *patience);

#endif
