// SPDX-License-Identifier: GPL-2.0-only
/* Values that an option can have on this machine, for a shell to complete. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complete/values.h"
#include "describe/proc.h"
#include "select/tracepoints.h"
#include "util/cpus.h"

#define COMM_BYTES	64	/* names of kernel threads, with their work, are longer than 15 */
#define COMMS_MAX	65536u

struct events {
	const struct fxt_values *to;
	char last[64];
	bool whole;	/* with the tracepoint's name */
};

static int event_found(void *arg, const char *subsystem, const char *name)
{
	struct events *e = arg;
	char text[256];

	if (!e->whole && !strcmp(e->last, subsystem))
		return 0;
	snprintf(e->last, sizeof(e->last), "%s", subsystem);
	snprintf(text, sizeof(text), "%s:%s", subsystem, e->whole ? name : "");
	e->to->add(e->to->arg, text, "");
	return 0;
}

void fxt_values_events(const struct fxt_values *to)
{
	struct events e = { .to = to, .whole = strchr(to->word, ':') };
	const struct fxt_event_group *g;
	char pattern[256];

	for (g = fxt_event_groups; g->name; g++)
		if (g->events)
			to->add(to->arg, g->name, g->tracepoints);
	to->add(to->arg, "all", "all of these groups");
	snprintf(pattern, sizeof(pattern), e.whole ? "%.200s*" : "%.200s*:*", to->word);
	fxt_tracepoints_each(pattern, event_found, &e);
}

struct tasks {
	const struct fxt_values *to;
	bool processes;
	const char *name;		/* only tasks of that name */
	__u32 process;
	char (*comms)[COMM_BYTES];	/* list of names to fill instead */
	unsigned int count;
};

static bool comm_read(__u32 process, __u32 thread, char *comm)
{
	char path[64];
	size_t bytes;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", process, thread);
	f = fopen(path, "re");
	bytes = f ? fread(comm, 1, COMM_BYTES, f) : 0;
	if (f)
		fclose(f);
	/* Drops the line's end; the name may contain others. */
	if (bytes)
		comm[bytes - 1] = '\0';
	return bytes;
}

static void thread_found(__u32 thread, void *arg)
{
	struct tasks *t = arg;
	char comm[COMM_BYTES], id[16];

	if (!comm_read(t->process, thread, comm) || (t->name && strcmp(comm, t->name)))
		return;
	if (t->comms) {
		if (t->count < COMMS_MAX)
			memcpy(t->comms[t->count++], comm, sizeof(comm));
		return;
	}
	snprintf(id, sizeof(id), "%u", thread);
	t->to->add(t->to->arg, id, comm);
}

static void process_found(__u32 process, void *arg)
{
	struct tasks *t = arg;
	char path[64];

	t->process = process;
	snprintf(path, sizeof(path), "/proc/%u/task", process);
	if (t->processes)
		thread_found(process, t);
	else
		fxt_proc_each(path, thread_found, t);
}

void fxt_values_tasks(const struct fxt_values *to, bool processes, const char *name)
{
	struct tasks t = { .to = to, .processes = processes, .name = name };

	fxt_proc_each("/proc", process_found, &t);
}

static int compare(const void *a, const void *b)
{
	return strncmp(a, b, COMM_BYTES);
}

void fxt_values_comms(const struct fxt_values *to)
{
	struct tasks t = { .to = to, .comms = calloc(COMMS_MAX, COMM_BYTES) };
	unsigned int i;

	if (!t.comms)
		return;
	fxt_proc_each("/proc", process_found, &t);
	qsort(t.comms, t.count, COMM_BYTES, compare);
	for (i = 0; i < t.count; i++)
		if (!i || strcmp(t.comms[i], t.comms[i - 1]))
			to->add(to->arg, t.comms[i], "");
	free(t.comms);
}

void fxt_values_cgroups(const struct fxt_values *to)
{
	const char *root = access("/sys/fs/cgroup/cgroup.controllers", F_OK) ? "/sys/fs/cgroup/unified" :
			   "/sys/fs/cgroup";
	const char *slash = strrchr(to->word, '/');
	int stem = slash ? slash + 1 - to->word : 0;
	char path[PATH_MAX], value[PATH_MAX];
	struct dirent *entry;
	struct stat state;
	DIR *folder;

	/* A word with a slash is a path of the file system, else one from the root of the control groups. */
	snprintf(path, sizeof(path), "%s%s%.*s", *to->word == '/' ? "" : root, *to->word == '/' ? "" : "/", stem, to->word);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		if (entry->d_type != DT_DIR || *entry->d_name == '.')
			continue;
		snprintf(value, sizeof(value), "%.*s%s", stem, to->word, entry->d_name);
		to->add(to->arg, value, "");
		/*
		 * A group with child groups can be the value itself, or the start of a longer one: a directory has two
		 * links of its own.
		 */
		if (fstatat(dirfd(folder), entry->d_name, &state, 0) || state.st_nlink <= 2)
			continue;
		strncat(value, "/", sizeof(value) - strlen(value) - 1);
		to->add(to->arg, value, "");
	}
	if (folder)
		closedir(folder);
}

void fxt_values_cpus(const struct fxt_values *to)
{
	struct fxt_cpus present;
	char text[16];
	__u32 cpu;

	if (fxt_cpus_read(&present, FXT_CPUS_PRESENT))
		return;
	for (cpu = 0; cpu < FXTREC_CPUS_MAX; cpu++) {
		if (!fxt_cpus_has(&present, cpu))
			continue;
		snprintf(text, sizeof(text), "%u", cpu);
		to->add(to->arg, text, "");
	}
}
