// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the newest name of each thread, and its control group. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describe/names.h"
#include "util/array.h"

void fxt_names_uninit(struct fxt_names *names)
{
	size_t i;

	for (i = 0; i < FXT_TID_MAX / FXT_NAMES_LEAF; i++)
		free(names->leaves[i]);
	free(names->changed);
	memset(names, 0, sizeof(*names));
}

/* Returns a thread's entry; NULL where no thread of its leaf ever had a name. */
static struct fxt_name_entry *slot(const struct fxt_names *names, __u32 tid)
{
	struct fxt_name_entry *leaf = tid < FXT_TID_MAX ? names->leaves[tid / FXT_NAMES_LEAF] : NULL;

	return leaf ? &leaf[tid % FXT_NAMES_LEAF] : NULL;
}

/* Returns a thread's entry, which may be new; NULL without memory. */
static struct fxt_name_entry *slot_make(struct fxt_names *names, __u32 tid)
{
	struct fxt_name_entry **leaf = &names->leaves[tid / FXT_NAMES_LEAF];

	if (!*leaf)
		*leaf = calloc(FXT_NAMES_LEAF, sizeof(**leaf));
	return slot(names, tid);
}

/* Returns the number of arguments of a kernel object record: process, since, and cgroup_id where it is known. */
static __u64 args_of(const __u64 *w)
{
	return fxt_field(*w, 40, 43);
}

const __u64 *fxt_names_find(const __u64 *w, const __u64 *end)
{
	while (w < end) {
		__u64 words = fxt_field(*w, 4, 15);

		if (!words || words > (__u64)(end - w))
			return NULL;
		if (fxt_field(*w, 0, 3) == FXT_RECORD_KERNEL_OBJECT &&
		    fxt_field(*w, 16, 23) == FXT_OBJECT_THREAD && w[1] < FXT_TID_MAX &&
		    words == 2 + fxt_words(fxt_field(*w, 24, 38)) + 2 * args_of(w) && args_of(w) >= 2 && words <= 10)
			return w;
		w += words;
	}
	return NULL;
}

static int same(const struct fxt_name_entry *a, const struct fxt_name_entry *b)
{
	return a->named && a->tgid == b->tgid && a->cgroup_id == b->cgroup_id &&
	       !memcmp(&a->name, &b->name, sizeof(a->name));
}

/* Notes a process that has a new name. */
static int note_change(struct fxt_names *names, struct fxt_name_entry *entry, __u32 tid)
{
	if (entry->tgid != tid || entry->changed)
		return 0;
	if (fxt_array_reach(names->changed, names->changed_room, names->changed_count))
		return -ENOMEM;
	names->changed[names->changed_count++] = tid;
	entry->changed = 1;
	return 0;
}

/* Starts the rest of a process that fxt_names_changed() returns. */
static void rest(struct fxt_name_entry *entry, __u32 second)
{
	bool quiet = second - entry->given >= 8u * entry->rest_s;

	entry->rest_s = quiet || !entry->rest_s ? 1 : entry->rest_s < FXT_NAMES_REST_S ? 2 * entry->rest_s : FXT_NAMES_REST_S;
	entry->given = second;
}

__u32 fxt_names_changed(struct fxt_names *names, __u32 second)
{
	for (; names->changed_looked < names->changed_count; names->changed_looked++) {
		__u32 *at = &names->changed[names->changed_looked], pid = *at;
		struct fxt_name_entry *entry = slot(names, pid);

		if (second != FXT_NAMES_ALL && second - entry->given < entry->rest_s)
			continue;
		*at = names->changed[--names->changed_count];
		entry->changed = 0;
		if (second != FXT_NAMES_ALL)
			rest(entry, second);
		return pid;
	}
	names->changed_looked = 0;
	return 0;
}

void fxt_names_ended(struct fxt_names *names, __u32 pid)
{
	struct fxt_name_entry *entry = slot(names, pid);

	if (entry)
		entry->rest_s = 0;
}

static int learn(struct fxt_names *names, const __u64 *w, int listed)
{
	__u64 name_words = fxt_words(fxt_field(*w, 24, 38));
	struct fxt_name_entry *entry = slot_make(names, w[1]);
	struct fxt_name_entry learned = {
		.valid_from = w[5 + name_words],
		.tgid = w[3 + name_words],
		.cgroup_id = args_of(w) > 2 ? w[7 + name_words] : 0,
		.round = names->round,
		.mark = names->mark,
		.named = 1,
	};

	if (!entry)
		return -ENOMEM;
	memcpy(&learned.name, w + 2, 8 * name_words);
	if (!learned.cgroup_id)
		learned.cgroup_id = entry->cgroup_id;
	if (listed && same(entry, &learned)) {
		entry->round = names->round;
		return 0;
	}
	if (entry->named && learned.valid_from < entry->valid_from) {
		entry->overtaken = 1;
		return 0;
	}
	names->threads += !entry->named;
	names->held += !entry->named;
	learned.changed = entry->changed;
	learned.rest_s = entry->rest_s;
	learned.given = entry->given;
	learned.kept = entry->kept;
	learned.second = entry->second;
	*entry = learned;
	return note_change(names, entry, w[1]);
}

/* Writes a thread's records at words, which are all zero; returns their bytes. */
static __u32 describe(__u64 *words, const struct fxt_name_entry *entry, __u32 tid)
{
	return fxt_thread_describe(words, tid, entry->tgid, &entry->name, entry->valid_from, entry->cgroup_id);
}

static int correct(const struct fxt_names_stage *stage, __u32 tid)
{
	struct fxt_name_entry *entry = slot(stage->names, tid);
	__u64 words[FXT_THREAD_BYTES_MAX / 8] = { 0 };

	if (!entry->overtaken)
		return 0;
	entry->overtaken = 0;
	return fxt_sink_put(stage->to, words, describe(words, entry, tid));
}

int fxt_names_put(void *arg, const void *records, size_t bytes)
{
	const struct fxt_names_stage *stage = arg;
	const __u64 *first = records, *end = first + bytes / 8, *w;
	int err = fxt_sink_put(stage->to, records, bytes);

	for (w = first; !err && (w = fxt_names_find(w, end)); w += fxt_field(*w, 4, 15))
		err = learn(stage->names, w, 0);
	for (w = first; !err && (w = fxt_names_find(w, end)); w += fxt_field(*w, 4, 15))
		err = correct(stage, w[1]);
	return err;
}

void fxt_names_round(struct fxt_names *names)
{
	names->round++;
}

int fxt_names_list(struct fxt_names *names, const void *records, size_t bytes)
{
	const __u64 *w = records, *end = w + bytes / 8;
	int err = 0;

	for (; !err && (w = fxt_names_find(w, end)); w += fxt_field(*w, 4, 15))
		err = learn(names, w, 1);
	return err;
}

/* Calls each() for every named thread, until a call fails. */
static int names_each(const struct fxt_names *names, struct fxt_idle *idle, void *arg,
		      int (*each)(struct fxt_name_entry *entry, __u32 tid, void *arg))
{
	__u32 leaf, i;
	int err = 0;

	for (leaf = 0; leaf < FXT_TID_MAX / FXT_NAMES_LEAF && !err; leaf++) {
		struct fxt_name_entry *entries = names->leaves[leaf];

		for (i = 0; entries && i < FXT_NAMES_LEAF && !err; i++)
			if (entries[i].named)
				err = each(&entries[i], leaf * FXT_NAMES_LEAF + i, arg);
		if (entries)
			fxt_idle_run(idle);
	}
	return err;
}

/* Prunes an entry.  The list of changed processes may still have it, and treats it as an entry without a name. */
static int entry_prune(struct fxt_name_entry *entry, __u32 tid, void *arg)
{
	struct fxt_names *names = arg;

	(void)tid;
	if (entry->round + 1 >= names->round)
		return 0;
	*entry = (struct fxt_name_entry){ .changed = entry->changed };
	names->held--;
	return 0;
}

void fxt_names_prune(struct fxt_names *names)
{
	names_each(names, NULL, names, entry_prune);
	names->left = names->held;
}

static int entry_put(struct fxt_name_entry *entry, __u32 tid, void *to)
{
	__u64 words[FXT_THREAD_BYTES_MAX / 8] = { 0 };

	return fxt_sink_put(to, words, describe(words, entry, tid));
}

int fxt_names_put_all(const struct fxt_names *names, const struct fxt_sink *to, struct fxt_idle *idle)
{
	return names_each(names, idle, (void *)to, entry_put);
}

void fxt_names_mark(struct fxt_names *names)
{
	names->mark++;
}

struct learned {
	const struct fxt_sink *to;
	__u32 mark;
};

static int learned_put(struct fxt_name_entry *entry, __u32 tid, void *arg)
{
	const struct learned *l = arg;

	return entry->mark == l->mark ? entry_put(entry, tid, (void *)l->to) : 0;
}

int fxt_names_put_learned(const struct fxt_names *names, const struct fxt_sink *to)
{
	struct learned learned = { to, names->mark };

	return names_each(names, NULL, &learned, learned_put);
}

struct fxt_name_entry *fxt_names_entry(const struct fxt_names *names, __u32 tid)
{
	struct fxt_name_entry *entry = slot(names, tid);

	return entry && entry->named ? entry : NULL;
}

int fxt_names_put_one(const struct fxt_names *names, __u32 tid, const struct fxt_sink *to)
{
	struct fxt_name_entry *entry = fxt_names_entry(names, tid), *leader;
	int err = 0;

	if (!entry)
		return 0;
	leader = entry->tgid == tid ? NULL : fxt_names_entry(names, entry->tgid);
	if (leader)
		err = entry_put(leader, entry->tgid, (void *)to);
	return err ? err : entry_put(entry, tid, (void *)to);
}

int fxt_names_listed(const struct fxt_names *names, __u32 tid)
{
	const struct fxt_name_entry *entry = fxt_names_get(names, tid);

	return entry && entry->round == names->round;
}
