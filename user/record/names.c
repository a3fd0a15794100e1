// SPDX-License-Identifier: GPL-2.0-only
/* Which threads have been named, and the newest name of each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

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

static int take(struct fxt_names *names, const __u64 *w)
{
	__u64 name_words = fxt_words(fxt_field(*w, 24, 38));
	struct fxt_name_entry *entry = entry_of(names, w[1]);

	if (!entry)
		return -ENOMEM;
	if (entry->named && w[5 + name_words] < entry->since) {
		entry->overtaken = 1;
		return 0;
	}
	names->threads += !entry->named;
	*entry = (struct fxt_name_entry){
		.since = w[5 + name_words],
		.tgid = w[3 + name_words],
		.named = 1,
	};
	memcpy(&entry->name, w + 2, 8 * name_words);
	return 0;
}

static void correct(struct fxt_names *names, __u32 tid, FILE *corrections)
{
	__u64 again[FXT_THREAD_BYTES_MAX / 8] = { 0 };
	struct fxt_name_entry *entry = entry_of(names, tid);

	if (!entry->overtaken)
		return;
	entry->overtaken = 0;
	fwrite(again, 1, fxt_thread_describe(again, tid, entry->tgid, &entry->name, entry->since),
	       corrections);
}

int fxt_names_scan(struct fxt_names *names, const void *records, size_t bytes, FILE *corrections)
{
	const __u64 *first = records, *end = first + bytes / 8, *w;
	int err = 0;

	for (w = first; !err && (w = find(w, end)); w += fxt_field(*w, 4, 15))
		err = take(names, w);
	if (err)
		return err;
	for (w = first; (w = find(w, end)); w += fxt_field(*w, 4, 15))
		correct(names, w[1], corrections);
	return 0;
}

int fxt_names_has(const struct fxt_names *names, __u32 tid)
{
	const struct fxt_name_entry *leaf;

	if (tid >= FXT_TID_MAX)
		return 0;
	leaf = names->leaves[tid / FXT_NAMES_LEAF];
	return leaf && leaf[tid % FXT_NAMES_LEAF].named;
}
