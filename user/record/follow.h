/* SPDX-License-Identifier: GPL-2.0-only */
/* Has an open source follow the threads that a filter selects by id. */
#ifndef FXT_RECORD_FOLLOW_H
#define FXT_RECORD_FOLLOW_H

#include <sys/types.h>

#include "select/filter.h"
#include "source/source.h"

/*
 * Has the source follow the filter's processes and threads, and COMMAND (0: none) where the filter selects it.  The
 * filter may be NULL.  0 or -errno with the error set: -ESRCH for a process or thread that has ended.
 */
int fxt_follow(const struct fxt_filter *filter, struct fxt_source *source, pid_t command,
	       struct fxt_error *error);

/*
 * Returns whether a thread lives that was given by id, or that such a thread created; true where the source doesn't
 * know.  *witness is the id of a followed thread that lived, 0 at first; the others aren't checked while it lives.
 */
bool fxt_followed(const struct fxt_source *source, __u32 *witness);

#endif
