/* SPDX-License-Identifier: GPL-2.0-only */
/* Which threads and CPUs an analysis shows. */
#ifndef FXT_ANALYZE_SELECTION_H
#define FXT_ANALYZE_SELECTION_H

#include "analyze/machine/machine.h"

/* Lists of numbers and of globs; all zero is everything. */
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

/* Adds "1,2,5-7", of 64 bits, as ids of other recorders are; -EINVAL, -ERANGE, -ENOMEM. */
int fxt_numbers_add(struct fxt_numbers *numbers, const char *text);
bool fxt_numbers_have(const struct fxt_numbers *numbers, __u64 number);

/* Adds "nginx,redis*"; -EINVAL where one is empty, -ENOMEM. */
int fxt_globs_add(struct fxt_globs *globs, const char *text);
void fxt_selection_uninit(struct fxt_selection *selection);

/* Threads of any of the lists that aren't empty, and of all kinds of them. */
bool fxt_selection_task(const struct fxt_selection *selection, const struct fxt_task *task);
bool fxt_selection_cpu(const struct fxt_selection *selection, __u32 cpu);

/* The tids that it chooses threads by; NULL: it doesn't. */
static inline const struct fxt_numbers *fxt_selection_tids(const struct fxt_selection *selection)
{
	return selection->tids.count ? &selection->tids : NULL;
}

/* Adds the chosen threads of a machine without an event, by what they did throughout; UNKNOWN: they have names alone. */
void fxt_selection_silent(const struct fxt_selection *selection, const struct fxt_machine *m, size_t counts[FXT_PHASES]);

/* Whether it leaves out any thread. */
bool fxt_selection_tasks_any(const struct fxt_selection *selection);

#endif
