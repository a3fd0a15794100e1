// SPDX-License-Identifier: GPL-2.0-only
/* Names of threads and processes by time, which are put at the end. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/read.h"

/* Names of one thread over time. */
#define NAMES_MAX	4096u

/* Memory of a named thread beside its names. */
#define NAMES_BYTES	128u

struct fxt_pf_names {
	__u64 id;
	__u32 count;
	__u32 room;
	struct name {
		__u64 since;	/* 0: always */
		__u64 process;	/* of a thread; 0: not known */
		bool timed;
		char *text;
	} *list;		/* by time */
};

static struct fxt_pf_names *names_of(struct fxt_pf_reader *rd, struct fxt_map *map, __u64 id,
				     int *err)
{
	struct fxt_pf_names *names = fxt_map_get(map, id + 1);

	*err = 0;
	if (names)
		return names;
	if (rd->name_bytes + NAMES_BYTES > FXT_PF_STATE_MAX) {
		fxt_note(&rd->c->skipped, "names beyond 32 MiB", 1);
		return NULL;
	}
	names = calloc(1, sizeof(*names));
	*err = names ? fxt_map_put(map, id + 1, names) : -ENOMEM;
	if (*err) {
		free(names);
		return NULL;
	}
	names->id = id;
	rd->name_bytes += NAMES_BYTES;
	return names;
}

/* The number of names that are not later. */
static __u32 place_of(const struct fxt_pf_names *names, __u64 since)
{
	__u32 low = 0, high = names->count;

	/* Most come in order. */
	if (high && names->list[high - 1].since <= since)
		return high;
	while (low < high) {
		__u32 middle = (low + high) / 2;

		if (names->list[middle].since <= since)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int room_make(struct fxt_pf_names *names)
{
	__u32 room = names->room ? 2 * names->room : 1;
	struct name *list;

	if (names->count < names->room)
		return 0;
	list = realloc(names->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	names->list = list;
	names->room = room;
	return 0;
}

static bool same(const struct name *name, const char *text, __u64 process)
{
	return !strcmp(name->text, text) &&
	       (!process || !name->process || name->process == process);
}

/* Adds a name, unless the thread has it at that time, or next. */
static int add(struct fxt_pf_reader *rd, struct fxt_pf_names *names, const char *text,
	       __u64 process, const __u64 *ns)
{
	__u64 since = ns ? *ns : 0;
	__u32 at = place_of(names, since);
	struct name *list = names->list;
	char *copy;

	if (at && same(&list[at - 1], text, process)) {
		list[at - 1].process = process ? process : list[at - 1].process;
		return 0;
	}
	if (at < names->count && same(&list[at], text, process) && ns) {
		list[at].since = since;
		list[at].process = process ? process : list[at].process;
		return 0;
	}
	if (names->count == NAMES_MAX || rd->name_bytes + strlen(text) + 64 > FXT_PF_STATE_MAX) {
		fxt_note(&rd->c->skipped, "names beyond 32 MiB", 1);
		return 0;
	}
	copy = strdup(text);
	if (!copy || room_make(names)) {
		free(copy);
		return -ENOMEM;
	}
	list = names->list;
	memmove(list + at + 1, list + at, (names->count - at) * sizeof(*list));
	list[at] = (struct name){ since, process, ns, copy };
	names->count++;
	rd->name_bytes += strlen(text) + 64;
	return 0;
}

int fxt_pf_thread_named(struct fxt_pf_reader *rd, __u64 tid, __u64 process, const char *name,
			const __u64 *ns)
{
	struct fxt_pf_names *names;
	int err;

	names = names_of(rd, &rd->threads, tid, &err);
	return names ? add(rd, names, name, process, ns) : err;
}

int fxt_pf_process_named(struct fxt_pf_reader *rd, __u64 pid, const char *name, const __u64 *ns)
{
	struct fxt_pf_names *names;
	int err;

	names = names_of(rd, &rd->processes, pid, &err);
	return names ? add(rd, names, name, 0, ns) : err;
}

__u64 fxt_pf_process_of(const struct fxt_pf_reader *rd, __u64 tid)
{
	const struct fxt_pf_names *names = fxt_map_get(&rd->threads, tid + 1);
	__u32 i;

	for (i = names ? names->count : 0; i > 0; i--)
		if (names->list[i - 1].process)
			return names->list[i - 1].process;
	return 0;
}

int fxt_pf_tree(struct fxt_pf_reader *rd, const Pf__ProcessTree *tree, const __u64 *ns)
{
	int err = 0;
	size_t i;

	for (i = 0; i < tree->n_processes && !err; i++) {
		const Pf__ProcessTree__Process *p = tree->processes[i];
		bool more = p->n_cmdline > 2 || (p->n_cmdline == 2 && p->cmdline[1][0]);

		if (more)
			fxt_note(&rd->c->skipped, "command lines' further words", 1);
		if (p->n_cmdline)
			err = fxt_pf_process_named(rd, (__u32)p->pid, p->cmdline[0], ns);
		if (!err && p->n_cmdline && p->cmdline_is_comm)
			err = fxt_pf_thread_named(rd, (__u32)p->pid, (__u32)p->pid, p->cmdline[0], ns);
	}
	for (i = 0; i < tree->n_threads && !err; i++) {
		const Pf__ProcessTree__Thread *t = tree->threads[i];

		err = fxt_pf_thread_named(rd, (__u32)t->tid, (__u32)t->tgid, t->name ? t->name : "",
					  ns);
	}
	return err;
}

/* Without a time, the record has no "since". */
static int name_put(struct fxt_pf_reader *rd, const struct fxt_pf_names *names,
		    const struct name *name, bool thread, __u64 process)
{
	struct fxt_text text = fxt_build_string(name->text);
	struct fxt_record r;

	if (thread)
		fxt_build_thread_name(&r, names->id, process, text, name->since);
	else
		fxt_build_process_name(&r, names->id, text, name->since);
	if (!name->timed)
		r.arg_count--;
	return fxt_pf_put(rd, &r, name->since, rd->tool);
}

static int names_put(struct fxt_pf_reader *rd, const struct fxt_pf_names *names, bool thread)
{
	__u64 process = names->id;
	int err = 0;
	__u32 i;

	/* A name without a process gets that of a later one. */
	for (i = names->count; i > 0; i--)
		if (names->list[i - 1].process)
			process = names->list[i - 1].process;
	for (i = 0; i < names->count && !err; i++) {
		const struct name *name = &names->list[i];

		if (name->process)
			process = name->process;
		/* An empty name is put once, for the process. */
		if (name->text[0] || !i)
			err = name_put(rd, names, name, thread, process);
	}
	return err;
}

static int all_put(struct fxt_pf_reader *rd, const struct fxt_map *map, bool thread)
{
	struct fxt_pf_names *names;
	size_t at = 0;
	int err = 0;

	while (!err && (names = fxt_map_next(map, &at)))
		err = names_put(rd, names, thread);
	return err;
}

int fxt_pf_names_put(struct fxt_pf_reader *rd)
{
	int err = all_put(rd, &rd->processes, false);

	return err ? err : all_put(rd, &rd->threads, true);
}

static void names_free(void *value)
{
	struct fxt_pf_names *names = value;
	__u32 i;

	for (i = 0; i < names->count; i++)
		free(names->list[i].text);
	free(names->list);
	free(names);
}

void fxt_pf_reader_names_free(struct fxt_pf_reader *rd)
{
	fxt_map_uninit(&rd->threads, names_free);
	fxt_map_uninit(&rd->processes, names_free);
}
