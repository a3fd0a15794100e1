/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters of scheduling events: parses lists, globs and cgroups. */
#ifndef FXT_SELECT_FILTER_H
#define FXT_SELECT_FILTER_H

#include <stdbool.h>

#include "select/glob.h"
#include "uapi/fxtrec.h"
#include "util/error.h"

/* All zero records all events. */
struct fxt_filter {
	struct fxtrec_filter kernel;	/* no flags: all events are recorded */
	struct fxt_glob comm;
	__u32 *pids;			/* processes with all of their threads */
	unsigned int pid_count;
	__u32 *tids;
	unsigned int tid_count;
	bool only_command;
	bool all;			/* the whole machine was asked for */
	bool no_inherit;		/* children of chosen threads are not chosen */
	__u64 cgroup_id;
};

/*
 * Each adds the threads or CPUs of its argument.  0 or -errno with the error set, which describes the argument's fault
 * without repeating the argument.
 */
int fxt_filter_add_pids(struct fxt_filter *filter, const char *list, struct fxt_error *error);
int fxt_filter_add_tids(struct fxt_filter *filter, const char *list, struct fxt_error *error);
int fxt_filter_add_cpus(struct fxt_filter *filter, const char *list, struct fxt_error *error);
int fxt_filter_add_comm(struct fxt_filter *filter, const char *list, struct fxt_error *error);
/* Adds a cgroup by a path of the file system, or a path from the hierarchy's root; only one is allowed. */
int fxt_filter_add_cgroup(struct fxt_filter *filter, const char *path, struct fxt_error *error);

/* Returns whether threads are chosen by their ids. */
static inline bool fxt_filter_by_id(const struct fxt_filter *f)
{
	return f->pid_count || f->tid_count || f->only_command;
}

/* Returns whether threads are chosen, by id or otherwise. */
static inline bool fxt_filter_threads(const struct fxt_filter *f)
{
	return fxt_filter_by_id(f) || f->kernel.flags & FXTREC_FILTER_THREADS;
}

/* Returns whether a CPU's events are dropped. */
static inline bool fxt_filter_excludes(const struct fxt_filter *f, __u32 cpu)
{
	return f->kernel.flags & FXTREC_FILTER_CPUS && !(f->kernel.cpus[cpu / 64] >> cpu % 64 & 1);
}

/* Completes the filter for the opening of the source; NULL where the filter drops nothing. */
const struct fxt_filter *fxt_filter_finish(struct fxt_filter *filter);

#endif
