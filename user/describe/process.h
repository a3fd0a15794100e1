/* SPDX-License-Identifier: GPL-2.0-only */
/* Describes processes beyond their names: command line, parent, control group, container. */
#ifndef FXT_DESCRIBE_PROCESS_H
#define FXT_DESCRIBE_PROCESS_H

#include "describe/names.h"
#include "util/sink.h"

/* Records that describe processes as they were at one time; all zero is none. */
struct fxt_process_list {
	char *records;
	size_t bytes;
};

/*
 * Makes a kernel object record of each process that lives, and has a name that is valid
 * from that time or later: with its command line, parent, control group, container
 * and its id in its own PID namespace, as far as it has them.  -ENOMEM.
 */
int fxt_process_list_read(struct fxt_process_list *list, const struct fxt_names *names,
			  __u64 valid_from);

/* Puts them.  -errno. */
static inline int fxt_process_list_put(const struct fxt_process_list *list, const struct fxt_sink *to)
{
	return list->bytes ? fxt_sink_put(to, list->records, list->bytes) : 0;
}

void fxt_process_list_free(struct fxt_process_list *list);

#endif
