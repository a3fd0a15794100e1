// SPDX-License-Identifier: GPL-2.0-only
/* Finds the option that chooses threads or CPUs which a trace lacks, and suggests others. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "show/unmatched.h"
#include "util/cpus.h"
#include "util/near.h"

#define NAMES_MAX	3u

/* How much a name resembles the given text, best first. */
enum likeness { LIKE_START, LIKE_PART, LIKE_SPELLING, LIKE_NOTHING };

/* The names that resemble a text most. */
struct names {
	char text[FXT_TASK_NAME_BYTES];	/* given text, without the letters of globs at its ends */
	enum likeness likeness;
	struct fxt_near near;
	char name[NAMES_MAX][FXT_TASK_NAME_BYTES * 2];
	unsigned int count;
	bool more;
};

static void names_init(struct names *n, const char *glob)
{
	size_t from = strspn(glob, "*?"), length = strcspn(glob + from, "*?[");

	*n = (struct names){ .likeness = LIKE_NOTHING };
	snprintf(n->text, sizeof(n->text), "%.*s", (int)length, glob + from);
	fxt_near_init(&n->near, n->text);
}

static enum likeness likeness_of(struct names *n, const char *name)
{
	const char *at = strcasestr(name, n->text);
	struct fxt_near near = n->near;

	if (at && *n->text)
		return at == name ? LIKE_START : LIKE_PART;
	fxt_near_try(&near, name);
	if (near.best != name)
		return LIKE_NOTHING;
	/* A nearer name replaces names that are less near. */
	if (n->likeness == LIKE_SPELLING && near.distance < n->near.distance)
		n->count = 0;
	n->near.distance = near.distance;
	return LIKE_SPELLING;
}

static void names_try(struct names *n, const char *name)
{
	enum likeness likeness = likeness_of(n, name);
	unsigned int i;

	if (likeness > n->likeness || likeness == LIKE_NOTHING)
		return;
	if (likeness < n->likeness) {
		n->count = 0;
		n->more = false;
		n->likeness = likeness;
	}
	for (i = 0; i < n->count; i++)
		if (!strcmp(n->name[i], name))
			return;
	if (n->count == NAMES_MAX)
		n->more = true;
	else
		snprintf(n->name[n->count++], sizeof(*n->name), "%s", name);
}

/* Writes the option to type: with the first name, or with the given part of it, as the name spells it. */
static void pattern_write(const struct names *n, char *text, size_t space, const char *option)
{
	const char *name = n->name[0], *part = strcasestr(name, n->text);
	char quote = strchr(name, '\'') ? '"' : '\'';

	if (n->likeness == LIKE_SPELLING || !part)
		snprintf(text, space, ": %s%c%.70s%c", option, quote, name, quote);
	else
		snprintf(text, space, ": %s%c%s%.*s*%c", option, quote, n->likeness == LIKE_PART ? "*" : "", (int)strlen(n->text),
			 part, quote);
}

static void names_write(const struct names *n, char text[FXT_UNMATCHED_BYTES], const char *option, const char *glob)
{
	int at = snprintf(text, FXT_UNMATCHED_BYTES, "%s%.80s", option, glob);
	unsigned int i;

	if (!n->count) {
		snprintf(text + at, FXT_UNMATCHED_BYTES - at, " is the name of none: \"fxtrec report --by=%s\" lists them",
			 option[3] == 'o' ? "comm" : "cgroup");
		return;
	}
	for (i = 0; i < n->count; i++)
		at += snprintf(text + at, FXT_UNMATCHED_BYTES - at, "%s%.70s", i ? ", " : ": there is ", n->name[i]);
	if (n->more)
		at += snprintf(text + at, FXT_UNMATCHED_BYTES - at, " and others");
	pattern_write(n, text + at, FXT_UNMATCHED_BYTES - at, option);
}

/* A search of all threads, including threads without events, for a part of a selection. */
struct thread_search {
	struct fxt_selection part;
	bool found;
	struct names *names;	/* names to collect; NULL: the part has ids, not names */
	bool cgroups;		/* the names are those of control groups */
	__u64 id;		/* the first id that was given */
	__u64 process;		/* process of the thread of that id; 0: no such thread */
	bool is_process;	/* a process has that id */
};

static void thread_see(struct thread_search *w, const struct fxt_task *task)
{
	const struct fxt_process *process = task->process;
	const char *group = process && process->group ? process->group->path : NULL;

	if (fxt_selection_task(&w->part, task))
		w->found = true;
	if (w->names && (!w->cgroups || group))
		names_try(w->names, w->cgroups ? group : task->name);
	if (process && process->pid == w->id)
		w->is_process = true;
	if (process && task->tid == w->id)
		w->process = process->pid;
}

static void threads_walk(struct thread_search *w, const struct fxt_origins *origins)
{
	__u32 k;

	for (k = 0; k < origins->count; k++) {
		const struct fxt_tasks *tasks = &origins->of[k]->m->tasks;
		struct fxt_silent silent = { 0 };
		struct fxt_task *task;
		__u64 at = 0;

		while ((task = fxt_tasks_next(tasks, &at))) {
			if (task->key)
				thread_see(w, task);
		}
		while (fxt_tasks_silent_next(tasks, &silent))
			thread_see(w, &silent.task);
	}
}

static bool ids_unmatched(char text[FXT_UNMATCHED_BYTES], const struct fxt_numbers *ids, bool processes,
			  const struct fxt_origins *origins)
{
	struct thread_search w = { .id = ids->count ? ids->range[0].first : 0 };

	if (!ids->count)
		return false;
	if (processes)
		w.part.pids = *ids;
	else
		w.part.tids = *ids;
	threads_walk(&w, origins);
	if (processes && w.process && w.process != w.id)
		snprintf(text, FXT_UNMATCHED_BYTES, "-p %llu is a thread of process %llu: -t %llu", w.id, w.process, w.id);
	else if (!processes && w.is_process)
		snprintf(text, FXT_UNMATCHED_BYTES, "-t %llu is a process: -p %llu", w.id, w.id);
	else
		snprintf(text, FXT_UNMATCHED_BYTES, "%s %llu is the id of none: --comm=NAME chooses by name, and "
			 "\"fxtrec report\" lists them", processes ? "-p" : "-t", w.id);
	return !w.found;
}

static bool globs_unmatched(char text[FXT_UNMATCHED_BYTES], const struct fxt_globs *globs, bool cgroups,
			    const struct fxt_origins *origins)
{
	struct names names;
	struct thread_search w = { .names = &names, .cgroups = cgroups };

	if (!globs->count)
		return false;
	names_init(&names, globs->glob[0]);
	if (cgroups)
		w.part.cgroups = *globs;
	else
		w.part.comms = *globs;
	threads_walk(&w, origins);
	names_write(&names, text, cgroups ? "--cgroup=" : "--comm=", globs->glob[0]);
	return !w.found;
}

bool fxt_unmatched_threads(char text[FXT_UNMATCHED_BYTES], const struct fxt_selection *s, const struct fxt_origins *origins)
{
	struct thread_search all = { .part = *s };

	if (!fxt_selection_tasks_any(s))
		return false;
	threads_walk(&all, origins);
	if (all.found)
		return false;
	if (!ids_unmatched(text, &s->pids, true, origins) && !ids_unmatched(text, &s->tids, false, origins) &&
	    !globs_unmatched(text, &s->comms, false, origins) && !globs_unmatched(text, &s->cgroups, true, origins))
		snprintf(text, FXT_UNMATCHED_BYTES, "each option chooses some, and none is of all: leave one out");
	return true;
}

bool fxt_unmatched_cpus(char text[FXT_UNMATCHED_BYTES], const struct fxt_selection *s, const struct fxt_origins *origins)
{
	struct fxt_cpus cpus = {};
	bool found = !s->cpus.count;
	__u32 k, i;

	for (k = 0; k < origins->count && !found; k++)
		for (i = 0; i < origins->of[k]->m->seen_count; i++) {
			found = found || fxt_selection_cpu(s, origins->of[k]->m->seen[i]->id);
			fxt_cpus_add(&cpus, origins->of[k]->m->seen[i]->id);
		}
	if (found)
		return false;
	i = snprintf(text, FXT_UNMATCHED_BYTES, "-C %llu: there %s ", s->cpus.range[0].first, fxt_cpus_count(&cpus) > 1 ? "are" : "is");
	if (fxt_cpus_count(&cpus))
		fxt_cpus_print(text + i, FXT_UNMATCHED_BYTES - i, &cpus);
	else
		snprintf(text + i, FXT_UNMATCHED_BYTES - i, "none");
	return true;
}
