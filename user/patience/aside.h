/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs functions that may wait for ever, for a file system for example, in threads of their own. */
#ifndef FXT_UTIL_ASIDE_H
#define FXT_UTIL_ASIDE_H

#include "patience/patience.h"

/* A list of running functions; NULL is empty. */
struct fxt_aside;

/* Runs a function, and adds it to the list.  0; -errno without memory or a thread: it does not run. */
int fxt_aside_add(struct fxt_aside **list, void (*run)(void *arg), void *arg);

/* Returns whether all functions have ended, so that fxt_aside_end() does not wait. */
bool fxt_aside_done(const struct fxt_aside *list);

/*
 * Waits for all functions, and empties the list.  -ECANCELED where the wait is given up: the functions continue, so
 * their arguments have to stay.
 */
int fxt_aside_end(struct fxt_aside **list, const struct fxt_patience *patience);

#endif
