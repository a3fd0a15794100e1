// SPDX-License-Identifier: GPL-2.0-only
/* Which threads have been named, and the newest name of each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describe/names.h"

void fxt_names_uninit(struct fxt_names *names)
{
	size_t i;

	for (i = 0; i < FXT_TID_MAX / FXT_NAMES_LEAF; i++)
		free(names->leaves[i]);
	memset(names, 0, sizeof(*names));
}

static struct fxt_name_entry *entry_of(struct fxt_names *names, __u64 tid)
{
	struct fxt_name_entry **leaf = &names->leaves[tid / FXT_NAMES_LEAF];

	if (!*leaf)
		*leaf = calloc(FXT_NAMES_LEAF, sizeof(**leaf));
	return *leaf ? &(*leaf)[tid % FXT_NAMES_LEAF] : NULL;
}

/* The next thread's kernel object record that fxt_thread_describe() wrote, or NULL. */
static const __u64 *find(const __u64 *w, const __u64 *end)
{
	while (w < end) {
		__u64 words = fxt_field(*w, 4, 15);

		if (!words || words > (__u64)(end - w))
			return NULL;
		if (fxt_field(*w, 0, 3) == FXT_RECORD_KERNEL_OBJECT &&
		    fxt_field(*w, 16, 23) == FXT_OBJECT_THREAD && w[1] < FXT_TID_MAX &&
		    words == 6 + fxt_words(fxt_field(*w, 24, 38)) && words <= 8)
			return w;
		w += words;
	}
	return NULL;
}

static int same(const struct fxt_name_entry *a, const struct fxt_name_entry *b)
{
	return a->named && a->tgid == b->tgid && !memcmp(&a->name, &b->name, sizeof(a->name));
}

static int take(struct fxt_names *names, const __u64 *w, int listed)
{
	__u64 name_words = fxt_words(fxt_field(*w, 24, 38));
	struct fxt_name_entry *entry = entry_of(names, w[1]);
	struct fxt_name_entry taken = {
		.since = w[5 + name_words],
		.tgid = w[3 + name_words],
		.round = names->round,
		.named = 1,
	};

	if (!entry)
		return -ENOMEM;
	memcpy(&taken.name, w + 2, 8 * name_words);
	if (listed && same(entry, &taken)) {
		entry->round = names->round;
		return 0;
	}
	if (entry->named && taken.since < entry->since) {
		entry->overtaken = 1;
		return 0;
	}
	names->threads += !entry->named;
	*entry = taken;
	return 0;
}

/* At words, which are all zero; returns their bytes. */
static __u32 describe(__u64 *words, const struct fxt_name_entry *entry, __u32 tid)
{
	return fxt_thread_describe(words, tid, entry->tgid, &entry->name, entry->since);
}

static void entry_write(const struct fxt_name_entry *entry, __u32 tid, FILE *records)
{
	__u64 words[FXT_THREAD_BYTES_MAX / 8] = { 0 };

	fwrite(words, 1, describe(words, entry, tid), records);
}

static int correct(const struct fxt_names_stage *stage, __u32 tid)
{
	struct fxt_name_entry *entry = entry_of(stage->names, tid);
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

	for (w = first; !err && (w = find(w, end)); w += fxt_field(*w, 4, 15))
		err = take(stage->names, w, 0);
	for (w = first; !err && (w = find(w, end)); w += fxt_field(*w, 4, 15))
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

	for (; !err && (w = find(w, end)); w += fxt_field(*w, 4, 15))
		err = take(names, w, 1);
	return err;
}

void fxt_names_write(const struct fxt_names *names, FILE *records)
{
	__u32 leaf, i;

	for (leaf = 0; leaf < FXT_TID_MAX / FXT_NAMES_LEAF; leaf++) {
		const struct fxt_name_entry *entries = names->leaves[leaf];

		for (i = 0; entries && i < FXT_NAMES_LEAF; i++)
			if (entries[i].named && entries[i].round + 1 >= names->round)
				entry_write(&entries[i], leaf * FXT_NAMES_LEAF + i, records);
	}
}

const struct fxt_name_entry *fxt_names_get(const struct fxt_names *names, __u32 tid)
{
	const struct fxt_name_entry *leaf;

	leaf = tid < FXT_TID_MAX ? names->leaves[tid / FXT_NAMES_LEAF] : NULL;
	return leaf && leaf[tid % FXT_NAMES_LEAF].named ? &leaf[tid % FXT_NAMES_LEAF] : NULL;
}

void fxt_names_write_one(const struct fxt_names *names, __u32 tid, FILE *records)
{
	const struct fxt_name_entry *entry = fxt_names_get(names, tid), *leader;

	if (!entry)
		return;
	leader = entry->tgid == tid ? NULL : fxt_names_get(names, entry->tgid);
	if (leader)
		entry_write(leader, entry->tgid, records);
	entry_write(entry, tid, records);
}

int fxt_names_listed(const struct fxt_names *names, __u32 tid)
{
	const struct fxt_name_entry *entry = fxt_names_get(names, tid);

	return entry && entry->round == names->round;
}
