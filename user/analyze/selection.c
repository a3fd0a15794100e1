// SPDX-License-Identifier: GPL-2.0-only
/* Selects the threads and CPUs that an analysis shows. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/selection.h"
#include "util/array.h"
#include "util/quantity.h"

static int range_add(struct fxt_numbers *n, __u64 first, __u64 last)
{
	int err = fxt_array_more(n->range, n->count);

	if (err)
		return err;
	n->range[n->count++] = (struct fxt_number_range){ first, last };
	return 0;
}

int fxt_numbers_add(struct fxt_numbers *n, const char *text)
{
	__u64 first, last;
	int err;

	do {
		err = fxt_quantity_number(&text, 0, &first);
		last = first;
		if (!err && *text == '-') {
			text++;
			err = fxt_quantity_number(&text, 0, &last);
		}
		if (err || last < first)
			return err ? err : -EINVAL;
		err = range_add(n, first, last);
	} while (!err && *text == ',' && text++);
	return err ? err : *text ? -EINVAL : 0;
}

int fxt_globs_add(struct fxt_globs *g, const char *text)
{
	for (;;) {
		size_t length = strcspn(text, ",");

		if (fxt_array_more(g->glob, g->count))
			return -ENOMEM;
		if (!length)
			return -EINVAL;
		g->glob[g->count] = strndup(text, length);
		if (!g->glob[g->count])
			return -ENOMEM;
		g->count++;
		if (!text[length])
			return 0;
		text += length + 1;
	}
}

static void globs_free(struct fxt_globs *g)
{
	while (g->count)
		free(g->glob[--g->count]);
	free(g->glob);
}

void fxt_selection_uninit(struct fxt_selection *s)
{
	free(s->pids.range);
	free(s->tids.range);
	free(s->cpus.range);
	globs_free(&s->comms);
	globs_free(&s->cgroups);
}

bool fxt_numbers_have(const struct fxt_numbers *n, __u64 number)
{
	size_t i;

	for (i = 0; i < n->count; i++)
		if (number >= n->range[i].first && number <= n->range[i].last)
			return true;
	return false;
}

static bool globs_match(const struct fxt_globs *g, const char *text)
{
	size_t i;

	for (i = 0; i < g->count; i++)
		if (!fnmatch(g->glob[i], text, 0))
			return true;
	return false;
}

bool fxt_selection_tasks_any(const struct fxt_selection *s)
{
	return s->pids.count || s->tids.count || s->comms.count || s->cgroups.count;
}

bool fxt_selection_cpu(const struct fxt_selection *s, __u32 cpu)
{
	return !s->cpus.count || fxt_numbers_have(&s->cpus, cpu);
}

bool fxt_selection_task(const struct fxt_selection *s, const struct fxt_task *task)
{
	const struct fxt_process *process = task->process;

	if (s->tids.count && !fxt_numbers_have(&s->tids, task->tid))
		return false;
	if (s->pids.count && !fxt_numbers_have(&s->pids, process ? process->pid : task->tid))
		return false;
	if (s->comms.count && !globs_match(&s->comms, task->name))
		return false;
	return !s->cgroups.count || (process && process->group && globs_match(&s->cgroups, process->group->path));
}

void fxt_selection_silent(const struct fxt_selection *s, const struct fxt_machine *m, size_t counts[FXT_PHASES])
{
	struct fxt_silent silent = { 0 };

	while (fxt_tasks_silent_next(&m->tasks, &silent)) {
		if (fxt_selection_task(s, &silent.task))
			counts[fxt_listed_throughout(m, silent.task.tid)]++;
	}
}
