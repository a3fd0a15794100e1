// SPDX-License-Identifier: GPL-2.0-only
/* Names of threads and processes by time, which are put at the end. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/read/read.h"
#include "convert/skip.h"

#define CREATORS_MAX	64u

struct fxt_pf_names {
	struct fxt_pf_names *next;	/* in the order of arrival */
	__u64 id;
	__u64 process;		/* the last one by time; 0: not known */
	__u64 process_since;
	__u64 creator;		/* the thread that made this one in its own process; 0: not known */
	bool sorted;
	__u32 count;
	__u32 room;
	struct name {
		__u64 since;	/* 0: always */
		__u64 process;	/* of a thread; 0: not known */
		__u32 order;	/* of arrival */
		bool timed;
		__u16 cpu;	/* where a thread made this one, plus one; 0: it isn't new */
		char *text;
	} *list;		/* by time, once they are settled */
};

static struct fxt_spill *spill_of(const struct fxt_pf_reader *rd)
{
	return &rd->c->sorter.spill;
}

static struct name *name_at(const struct fxt_pf_reader *rd, const struct fxt_pf_names *names, __u32 i)
{
	fxt_spill_touch(spill_of(rd), &names->list[i]);
	fxt_spill_touch(spill_of(rd), names->list[i].text);
	return &names->list[i];
}

static struct fxt_pf_names *names_of(struct fxt_pf_named *all, __u64 id)
{
	struct fxt_pf_names *names = fxt_map_get(&all->map, id + 1);

	if (names)
		return names;
	names = fxt_map_new(&all->map, id + 1, sizeof(*names));
	if (!names)
		return NULL;
	if (all->last)
		all->last->next = names;
	else
		all->first = names;
	all->last = names;
	names->id = id;
	names->sorted = true;
	return names;
}

static int by_time(const void *left, const void *right)
{
	const struct name *a = left, *b = right;

	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static bool same(const struct name *name, const char *text, __u64 process)
{
	return !strcmp(name->text, text) &&
	       (!process || !name->process || name->process == process);
}

/* Names by time.  Of one that is there in a row, the first and the last stay: others may arrive between. */
static void settle(struct fxt_pf_reader *rd, struct fxt_pf_names *names, bool all)
{
	__u32 i, kept = 0, row = 0;

	if (names->sorted && !all)
		return;
	qsort(names->list, names->count, sizeof(*names->list), by_time);
	for (i = 0; i < names->count; i++) {
		struct name *name = name_at(rd, names, i);
		struct name *before = kept ? name_at(rd, names, kept - 1) : NULL;

		row = before && same(before, name->text, name->process) ? row + 1 : 1;
		if (row > 1) {
			before->process = name->process ? name->process : before->process;
			name->process = before->process;
		}
		if (row > 1 && all)
			continue;
		kept -= row > 2;
		names->list[kept] = *name;
		names->list[kept].order = kept;
		kept++;
	}
	names->count = kept;
	names->sorted = true;
}

static int room_make(struct fxt_pf_reader *rd, struct fxt_map *map, struct fxt_pf_names *names)
{
	__u32 room = names->room ? 2 * names->room : 1;
	struct name *list;

	if (names->count < names->room)
		return 0;
	settle(rd, names, false);
	if (2 * names->count < names->room)
		return 0;
	list = fxt_arena_alloc(&map->memory, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	if (names->count)
		memcpy(list, names->list, names->count * sizeof(*list));
	names->list = list;
	names->room = room;
	return 0;
}

static char *text_copy(struct fxt_map *map, const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = fxt_arena_alloc(&map->memory, bytes);

	return copy ? memcpy(copy, text, bytes) : NULL;
}

/* Whether a name is the last one by time still, and which says so until when, if there is room for that. */
static bool goes_on(struct fxt_pf_reader *rd, struct fxt_pf_names *names, const char *text, __u64 process, __u64 since)
{
	struct name *last = names->count && names->sorted ? name_at(rd, names, names->count - 1) : NULL;
	bool again;

	if (!last || since < last->since || !same(last, text, process))
		return false;
	last->process = process ? process : last->process;
	again = names->count > 1 && same(name_at(rd, names, names->count - 2), text, last->process);
	if (again)
		last->since = since;
	return again || since == last->since;
}

/* Adds a name, unless the thread has it already. */
static int add(struct fxt_pf_reader *rd, struct fxt_pf_named *all, __u64 id, const char *text,
	       __u64 process, const __u64 *ns, __u16 cpu)
{
	struct fxt_pf_names *names = names_of(all, id);
	__u64 since = ns ? *ns : 0;
	struct name *last;
	char *copy;

	if (!names)
		return -ENOMEM;
	if (process && since >= names->process_since) {
		names->process = process;
		names->process_since = since;
	}
	if (goes_on(rd, names, text, process, since))
		return 0;
	last = names->count ? name_at(rd, names, names->count - 1) : NULL;
	copy = last && !strcmp(last->text, text) ? last->text : text_copy(&all->map, text);
	if (!copy || room_make(rd, &all->map, names))
		return -ENOMEM;
	last = names->count ? name_at(rd, names, names->count - 1) : NULL;
	names->sorted &= !last || since >= last->since;
	names->list[names->count] = (struct name){ since, process, names->count, ns, cpu, copy };
	names->count++;
	return 0;
}

int fxt_pf_thread_named(struct fxt_pf_reader *rd, __u64 tid, __u64 process, const char *name,
			const __u64 *ns)
{
	return add(rd, &rd->threads, tid, name, process, ns, 0);
}

int fxt_pf_process_named(struct fxt_pf_reader *rd, __u64 pid, const char *name, const __u64 *ns)
{
	return add(rd, &rd->processes, pid, name, 0, ns, 0);
}

int fxt_pf_newtask_named(struct fxt_pf_reader *rd, __u32 tid, const __u32 *creator, const char *name, __u64 ns,
			 __u32 cpu)
{
	__u64 process = creator ? fxt_pf_process_of(rd, *creator) : tid;
	struct fxt_pf_names *names = names_of(&rd->threads, tid);
	int err = creator ? 0 : add(rd, &rd->processes, tid, name, 0, &ns, cpu + 1);

	if (!names)
		return -ENOMEM;
	names->creator = creator ? *creator : 0;
	return err ? err : add(rd, &rd->threads, tid, name, process, &ns, cpu + 1);
}

bool fxt_pf_thread_known(const struct fxt_pf_reader *rd, __u64 tid)
{
	return fxt_map_get(&rd->threads.map, tid + 1);
}

__u64 fxt_pf_process_of(const struct fxt_pf_reader *rd, __u64 tid)
{
	const struct fxt_pf_names *names = fxt_map_get(&rd->threads.map, tid + 1);

	return names ? names->process : 0;
}

int fxt_pf_tree(struct fxt_pf_reader *rd, const Pf__ProcessTree *tree, const __u64 *ns)
{
	int err = 0;
	size_t i;

	for (i = 0; i < tree->n_processes && !err; i++) {
		const Pf__ProcessTree__Process *p = tree->processes[i];
		bool more = p->n_cmdline > 2 || (p->n_cmdline == 2 && p->cmdline[1][0]);

		if (more)
			fxt_skip(rd->c, "command lines' further words", 1);
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
	int provider = name->cpu ? fxt_pf_cpu_provider(rd, name->cpu - 1) : rd->tool;
	struct fxt_record r;

	if (provider < 0)
		return provider;
	if (thread)
		fxt_build_thread_name(&r, names->id, process, text, name->since);
	else
		fxt_build_process_name(&r, names->id, text, name->since);
	if (!name->timed)
		r.arg_count--;
	return fxt_pf_put(rd, &r, name->since, provider);
}

/* Of a thread without a known process: its creator's, of which the file may say it later. */
static __u64 process_default(const struct fxt_pf_reader *rd, const struct fxt_pf_names *names)
{
	__u64 id = names->id;
	unsigned int i;

	/* Ids that are used again may be in a circle. */
	for (i = 0; i < CREATORS_MAX && names && !names->process && names->creator; i++) {
		id = names->creator;
		names = fxt_map_get(&rd->threads.map, id + 1);
	}
	return names && names->process ? names->process : id;
}

static int names_put(struct fxt_pf_reader *rd, struct fxt_pf_names *names, bool thread)
{
	__u64 process = thread ? process_default(rd, names) : names->id;
	int err = 0;
	__u32 i;

	settle(rd, names, true);
	/* A name without a process gets that of a later one. */
	for (i = names->count; i > 0; i--)
		if (name_at(rd, names, i - 1)->process)
			process = names->list[i - 1].process;
	for (i = 0; i < names->count && !err; i++) {
		const struct name *name = name_at(rd, names, i);

		if (name->process)
			process = name->process;
		/* An empty name is put once, for the process. */
		if (name->text[0] || !i)
			err = name_put(rd, names, name, thread, process);
	}
	return err;
}

static int all_put(struct fxt_pf_reader *rd, const struct fxt_pf_named *all, bool thread)
{
	struct fxt_pf_names *names;
	int err = 0;

	for (names = all->first; names && !err; names = names->next) {
		fxt_spill_touch(spill_of(rd), names);
		err = names_put(rd, names, thread);
		fxt_spill_touch(spill_of(rd), names);
	}
	return err;
}

int fxt_pf_names_put(struct fxt_pf_reader *rd)
{
	int err = all_put(rd, &rd->processes, false);

	return err ? err : all_put(rd, &rd->threads, true);
}

void fxt_pf_reader_names_free(struct fxt_pf_reader *rd)
{
	fxt_map_uninit(&rd->threads.map, NULL);
	fxt_map_uninit(&rd->processes.map, NULL);
}
