// SPDX-License-Identifier: GPL-2.0-only
/* Keeps names of threads and processes by time, which are put at the end. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"
#include "formats/perfetto/read/unread.h"
#include "util/list.h"

#define CREATORS_MAX	64u
#define COMMAND_BYTES	4096u	/* longest command line */

struct fxt_pf_names {
	struct fxt_pf_names *next;	/* list in the order of arrival */
	__u64 id;
	__u64 process;		/* the last process by time; 0: not known */
	__u64 process_since;
	__u64 creator;		/* thread that created this one in its own process; 0: not known */
	bool sorted;
	__u32 count;
	__u32 room;
	struct name {
		__u64 since;	/* 0: always */
		__u64 process;	/* process of a thread; 0: not known */
		__u32 order;	/* number by arrival */
		bool timed;
		__u16 cpu;	/* CPU where a thread created this one, plus one; 0: not a new thread */
		/* Length of the text's first word, which is the name of a command line; 0: the text is the name. */
		__u16 first;
		__u32 parent;	/* parent of a process; 0: not known */
		__u64 maker;	/* thread that created this one, plus one, where no switch shows it; 0: a switch does */
		__u32 inner;	/* id in the process's own namespace; 0: the same */
		const char *text;
	} *list;		/* by time, once sorted */
};

static struct fxt_pf_names *names_of(struct fxt_pf_named *all, __u64 id)
{
	struct fxt_pf_names *names = fxt_map_get(&all->map, id + 1);

	if (names)
		return names;
	names = fxt_map_new(&all->map, id + 1, sizeof(*names));
	if (!names)
		return NULL;
	fxt_list_append(all->first, all->last, names);
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

static bool same(const struct name *name, const struct name *other)
{
	return !strcmp(name->text, other->text) && name->first == other->first &&
	       (!other->process || !name->process || name->process == other->process);
}

/* Completes a name from an equal name before or after it. */
static void learn(struct name *name, const struct name *other)
{
	name->process = other->process ? other->process : name->process;
	name->parent = other->parent ? other->parent : name->parent;
	name->inner = other->inner ? other->inner : name->inner;
}

/*
 * Sorts names by time.  Of several equal names in a row, the first and the last stay, as others may arrive between
 * them; with all, only the first.
 */
static void settle(struct fxt_pf_names *names, bool all)
{
	__u32 i, kept = 0, row = 0;

	if (names->sorted && !all)
		return;
	qsort(names->list, names->count, sizeof(*names->list), by_time);
	for (i = 0; i < names->count; i++) {
		struct name *name = &names->list[i];
		struct name *before = kept ? &names->list[kept - 1] : NULL;

		row = before && same(before, name) ? row + 1 : 1;
		if (row > 1) {
			learn(before, name);
			learn(name, before);
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

static int room_make(struct fxt_map *map, struct fxt_pf_names *names)
{
	__u32 room = names->room ? 2 * names->room : 1;
	struct name *list;

	if (names->count < names->room)
		return 0;
	settle(names, false);
	if (2 * names->count < names->room)
		return 0;
	list = fxt_arena_copy(&map->memory, names->list, names->count * sizeof(*list), room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	names->list = list;
	names->room = room;
	return 0;
}

static char *text_copy(struct fxt_map *map, const char *text)
{
	size_t bytes = strlen(text) + 1;

	return fxt_arena_copy(&map->memory, text, bytes, bytes);
}

/*
 * Returns whether a name equals the last one by time: notes its time in the last of two equal names, if there are two.
 */
static bool goes_on(struct fxt_pf_names *names, const struct name *name)
{
	struct name *last = names->count && names->sorted ? &names->list[names->count - 1] : NULL;
	bool again;

	if (!last || name->since < last->since || !same(last, name))
		return false;
	learn(last, name);
	again = names->count > 1 && same(&names->list[names->count - 2], last);
	if (again)
		last->since = name->since;
	return again || name->since == last->since;
}

/* Adds a name of an id, unless the id has it already; sets its order, and copies its text. */
static int add(struct fxt_pf_named *all, __u64 id, struct name name)
{
	struct fxt_pf_names *names = names_of(all, id);
	struct name *last;

	if (!names)
		return -ENOMEM;
	if (name.process && name.since >= names->process_since) {
		names->process = name.process;
		names->process_since = name.since;
	}
	if (goes_on(names, &name))
		return 0;
	last = names->count ? &names->list[names->count - 1] : NULL;
	name.text = last && !strcmp(last->text, name.text) ? last->text : text_copy(&all->map, name.text);
	if (!name.text || room_make(&all->map, names))
		return -ENOMEM;
	last = names->count ? &names->list[names->count - 1] : NULL;
	names->sorted &= !last || name.since >= last->since;
	name.order = names->count;
	names->list[names->count++] = name;
	return 0;
}

/* Returns a name that is valid from a time on; NULL: always. */
static struct name name_from(const __u64 *ns, const char *text)
{
	return (struct name){ .since = ns ? *ns : 0, .timed = ns, .text = text };
}

int fxt_pf_thread_named(struct fxt_pf_reader *rd, __u64 tid, __u64 process, const char *name,
			const __u64 *ns)
{
	struct name of = name_from(ns, name);

	of.process = process;
	return add(&rd->threads, tid, of);
}

int fxt_pf_process_named(struct fxt_pf_reader *rd, __u64 pid, const char *name, const __u64 *ns)
{
	return add(&rd->processes, pid, name_from(ns, name));
}

int fxt_pf_newtask_named(struct fxt_pf_reader *rd, __u32 tid, const __u32 *creator, const char *name, __u64 ns,
			 __u32 cpu, const __u32 *maker)
{
	__u64 process = creator ? fxt_pf_process_of(rd, *creator) : tid;
	struct fxt_pf_names *names = names_of(&rd->threads, tid);
	struct name of = name_from(&ns, name);
	int err;

	of.cpu = cpu + 1;
	err = creator ? 0 : add(&rd->processes, tid, of);

	if (!names)
		return -ENOMEM;
	names->creator = creator ? *creator : 0;
	of.process = process;
	of.maker = maker ? *maker + 1ull : 0;
	return err ? err : add(&rd->threads, tid, of);
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

/* Joins the words of a command line; returns its length. */
static size_t command_join(struct fxt_pf_reader *rd, const Pf__ProcessTree__Process *p, char *text, size_t room)
{
	size_t length = 0, i;

	for (i = 0; i < p->n_cmdline; i++) {
		size_t word = strlen(p->cmdline[i]);

		if (word + 2 > room - length) {
			fxt_skip(rd->c, "command lines' words beyond 4 KiB", p->n_cmdline - i);
			break;
		}
		if (i)
			text[length++] = ' ';
		memcpy(text + length, p->cmdline[i], word);
		length += word;
	}
	text[length] = '\0';
	return length;
}

static int process_add(struct fxt_pf_reader *rd, const Pf__ProcessTree__Process *p, const __u64 *ns)
{
	struct name name = name_from(ns, p->cmdline[0]);
	size_t first = strlen(name.text);
	char text[COMMAND_BYTES];

	/* fxtrec's command lines end with an empty word, where a name has a space. */
	if (first && first + 2 <= sizeof(text) && (p->n_cmdline > 2 || (p->n_cmdline == 2 && p->cmdline[1][0])) &&
	    command_join(rd, p, text, sizeof(text)) > first) {
		name.text = text;
		name.first = first;
	}
	if (p->ppid > 0)
		name.parent = p->ppid;
	if (p->n_nspid && p->nspid[p->n_nspid - 1] > 0)
		name.inner = p->nspid[p->n_nspid - 1];
	return add(&rd->processes, (__u32)p->pid, name);
}

int fxt_pf_tree(struct fxt_pf_reader *rd, const Pf__ProcessTree *tree, const __u64 *ns)
{
	int err = 0;
	size_t i;

	for (i = 0; i < tree->n_processes && !err; i++) {
		const Pf__ProcessTree__Process *p = tree->processes[i];

		fxt_pf_unread(rd->c, FXT_PF_UNREAD_TREE_PROCESS, &p->base);
		if (!p->n_cmdline)
			fxt_skip(rd->c, "process trees with a process without a command line", 1);
		if (p->n_cmdline)
			err = process_add(rd, p, ns);
		if (!err && p->n_cmdline && p->cmdline_is_comm)
			err = fxt_pf_thread_named(rd, (__u32)p->pid, (__u32)p->pid, p->cmdline[0], ns);
	}
	for (i = 0; i < tree->n_threads && !err; i++) {
		const Pf__ProcessTree__Thread *t = tree->threads[i];

		fxt_pf_unread(rd->c, FXT_PF_UNREAD_TREE_THREAD, &t->base);
		err = fxt_pf_thread_named(rd, (__u32)t->tid, (__u32)t->tgid, t->name ? t->name : "",
					  ns);
	}
	return err;
}

/* Puts a name; without a time, the record has no "since". */
static int name_put(struct fxt_pf_reader *rd, const struct fxt_pf_names *names,
		    const struct name *name, bool thread, __u64 process)
{
	struct fxt_text text = fxt_build_string(name->text), command = text;
	int provider = name->cpu ? fxt_feed_cpu_provider(&rd->feed, name->cpu - 1) : rd->feed.provider;
	struct fxt_record r;

	if (provider < 0)
		return provider;
	if (name->first)
		text.length = name->first;
	if (thread)
		fxt_build_thread_name(&r, names->id, process, text, name->since);
	else
		fxt_build_process_name(&r, names->id, text, name->since);
	if (!name->timed)
		r.arg_count--;
	if (name->first)
		fxt_build_arg_text(&r, "command", command);
	if (name->parent)
		fxt_build_arg_koid(&r, fxt_build_string("parent"), name->parent);
	if (thread && name->maker)
		fxt_build_arg_koid(&r, fxt_build_string(FXT_PF_CREATOR_ARG), name->maker - 1);
	if (name->inner)
		fxt_build_arg_uint(&r, fxt_build_string("namespace_id"), name->inner);
	return fxt_pf_put(rd, &r, name->since, provider);
}

/* Returns the process of a thread without a known process: its creator's, which may have become known later. */
static __u64 process_default(const struct fxt_pf_reader *rd, const struct fxt_pf_names *names)
{
	__u64 id = names->id;
	unsigned int i;

	/* Reused ids may form a circle. */
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

	settle(names, true);
	/* A name without a process gets that of a later name. */
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

static int all_put(struct fxt_pf_reader *rd, const struct fxt_pf_named *all, bool thread)
{
	struct fxt_pf_names *names;
	int err = 0;

	for (names = all->first; names && !err; names = names->next)
		err = names_put(rd, names, thread);
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
