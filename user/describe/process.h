/* SPDX-License-Identifier: GPL-2.0-only */
/* What /proc tells of processes beside their names. */
#ifndef FXT_DESCRIBE_PROCESS_H
#define FXT_DESCRIBE_PROCESS_H

#include "describe/names.h"
#include "util/sink.h"

/* Records that say what there was to say of processes at one time; all zero is none. */
struct fxt_process_list {
	char *records;
	size_t bytes;
};

/*
 * Takes a kernel object record of each process that lives, is named, and has its
 * name since then or later: with its command line, parent, control group, container
 * and its id in its own PID namespace, as far as it has them.  -ENOMEM.
 */
int fxt_process_take(struct fxt_process_list *list, const struct fxt_names *names, __u64 since);

/* Puts them.  -errno. */
static inline int fxt_process_put(const struct fxt_process_list *list, const struct fxt_sink *to)
{
	return list->bytes ? fxt_sink_put(to, list->records, list->bytes) : 0;
}

void fxt_process_free(struct fxt_process_list *list);

#endif
