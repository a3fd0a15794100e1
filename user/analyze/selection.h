/* SPDX-License-Identifier: GPL-2.0-only */
/* Selects the threads and CPUs that an analysis shows. */
#ifndef FXT_ANALYZE_SELECTION_H
#define FXT_ANALYZE_SELECTION_H

#include "analyze/machine/machine.h"

/* Lists of numbers and of globs; all zero: everything. */
struct fxt_selection {
	struct fxt_numbers {
		struct fxt_number_range {
			__u64 first, last;
		} *range;
		size_t count;
	} pids, tids, cpus;
	struct fxt_globs {
		char **glob;
		size_t count;
	} comms, cgroups;
};

/*
 * Adds numbers such as "1,2,5-7", of 64 bits, since other recorders have such ids.  Returns
 * 0, -EINVAL, -ERANGE or -ENOMEM.
 */
int fxt_numbers_add(struct fxt_numbers *numbers, const char *text);
bool fxt_numbers_have(const struct fxt_numbers *numbers, __u64 number);

/* Adds globs such as "nginx,redis*".  Returns 0, -EINVAL if one is empty, or -ENOMEM. */
int fxt_globs_add(struct fxt_globs *globs, const char *text);
void fxt_selection_uninit(struct fxt_selection *selection);

/* Returns whether a thread is selected: each list that isn't empty must match. */
bool fxt_selection_task(const struct fxt_selection *selection, const struct fxt_task *task);
bool fxt_selection_cpu(const struct fxt_selection *selection, __u32 cpu);

/* Returns the tids of the selection; NULL: it has no tids. */
static inline const struct fxt_numbers *fxt_selection_tids(const struct fxt_selection *selection)
{
	return selection->tids.count ? &selection->tids : NULL;
}

/*
 * Counts the selected threads of a machine without an event, by their phase throughout the
 * trace; UNKNOWN: the trace only names them.
 */
void fxt_selection_silent(const struct fxt_selection *selection, const struct fxt_machine *m, size_t counts[FXT_PHASES]);

/* Returns whether the selection restricts threads. */
bool fxt_selection_tasks_any(const struct fxt_selection *selection);

#endif
