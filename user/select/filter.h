/* SPDX-License-Identifier: GPL-2.0-only */
/* Which scheduling events are recorded: the options, and who is chosen when recording begins. */
#ifndef FXT_SELECT_FILTER_H
#define FXT_SELECT_FILTER_H

#include <argp.h>

#include "select/glob.h"
#include "source/source.h"

struct fxt_filter {
	struct fxtrec_filter kernel;	/* no flags: everything is */
	struct fxt_glob comm;
	__u32 *pids;			/* with all of their threads */
	unsigned int pid_count;
	__u32 *tids;
	unsigned int tid_count;
	int only_command;
	int alone;			/* who is made by a chosen thread isn't */
	__u64 cgroup_id;
};

/* The options, as a child of record's; its input is a struct fxt_filter, all zero. */
extern const struct argp fxt_filter_argp;

/*
 * Makes what the source is to be opened with; a mistake is told of, and exits.
 * NULL where nothing is left out.
 */
const struct fxt_filter *fxt_filter_finish(struct fxt_filter *filter);

/*
 * With the source open, has it choose who was named by id, and COMMAND (0: none)
 * where that is wanted.  0 or -errno with the error set.
 */
int fxt_filter_begin(const struct fxt_filter *filter, struct fxt_source *source, pid_t command,
		     struct fxt_error *error);

#endif
