/* SPDX-License-Identifier: GPL-2.0-only */
/* Which scheduling events are recorded: lists, globs and cgroups, parsed. */
#ifndef FXT_SELECT_FILTER_H
#define FXT_SELECT_FILTER_H

#include <stdbool.h>

#include "select/glob.h"
#include "uapi/fxtrec.h"
#include "util/error.h"

/* All zero records everything. */
struct fxt_filter {
	struct fxtrec_filter kernel;	/* no flags: everything is recorded */
	struct fxt_glob comm;
	__u32 *pids;			/* with all of their threads */
	unsigned int pid_count;
	__u32 *tids;
	unsigned int tid_count;
	bool only_command;
	bool all;			/* the whole machine was asked for */
	bool no_inherit;		/* children of chosen threads are not chosen */
	__u64 cgroup_id;
};

/*
 * Each adds what its argument names.  0 or -errno with the error set, which says what is
 * wrong with the argument and doesn't repeat it.
 */
int fxt_filter_add_pids(struct fxt_filter *filter, const char *list, struct fxt_error *error);
int fxt_filter_add_tids(struct fxt_filter *filter, const char *list, struct fxt_error *error);
int fxt_filter_add_cpus(struct fxt_filter *filter, const char *list, struct fxt_error *error);
int fxt_filter_add_comm(struct fxt_filter *filter, const char *list, struct fxt_error *error);
/* A path of the file system, or one that begins at the hierarchy's root; one at most. */
int fxt_filter_add_cgroup(struct fxt_filter *filter, const char *path, struct fxt_error *error);

/* Whether threads are chosen by their ids. */
static inline bool fxt_filter_by_id(const struct fxt_filter *f)
{
	return f->pid_count || f->tid_count || f->only_command;
}

/* Whether threads are chosen, by id or otherwise. */
static inline bool fxt_filter_threads(const struct fxt_filter *f)
{
	return fxt_filter_by_id(f) || f->kernel.flags & FXTREC_FILTER_THREADS;
}

/* Whether a CPU's events are dropped. */
static inline bool fxt_filter_excludes(const struct fxt_filter *f, __u32 cpu)
{
	return f->kernel.flags & FXTREC_FILTER_CPUS && !(f->kernel.cpus[cpu / 64] >> cpu % 64 & 1);
}

/* Completes what the source is opened with; NULL where nothing is left out. */
const struct fxt_filter *fxt_filter_finish(struct fxt_filter *filter);

#endif
