/* SPDX-License-Identifier: GPL-2.0-only */
/* Has an open source follow the threads that a filter names by id. */
#ifndef FXT_RECORD_FOLLOW_H
#define FXT_RECORD_FOLLOW_H

#include <sys/types.h>

#include "select/filter.h"
#include "source/source.h"

/*
 * Processes, threads, and COMMAND (0: none) where that is asked for.  The filter may be
 * NULL.  0 or -errno with the error set: -ESRCH for a process or thread that has ended.
 */
int fxt_follow(const struct fxt_filter *filter, struct fxt_source *source, pid_t command,
	       struct fxt_error *error);

/*
 * Whether a thread that was given by id lives, or one that is followed as it was created by such; true where the
 * source doesn't know.  witness: one that did, 0 at first; as long as it lives, those that have ended aren't looked at
 * again.
 */
bool fxt_followed(const struct fxt_source *source, __u32 *witness);

#endif
