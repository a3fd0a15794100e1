// SPDX-License-Identifier: GPL-2.0-only
/* Sorts a conversion's records in bounded memory: runs in a file, then merged. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/encode.h"
#include "fxt/linux.h"
#include "model/cpu.h"
#include "model/inputs.h"
#include "store/huge.h"
#include "store/keyed.h"
#include "stream/reread.h"
#include "stream/run.h"
#include "stream/sorter.h"

/* Bytes of a run, where a reader needs much memory. */
#define YIELDED_BYTES	((size_t)8 << 20)

_Static_assert(FXT_INPUTS_MAX <= 1ULL << (64 - FXT_ENTRY_INPUT_SHIFT), "an entry has the number of its input");

struct fxt_sorter {
	struct fxt_merge_source memory;		/* the keys, as a source; the first member */
	struct fxt_entry_tables tables;
	struct fxt_map names;		/* providers, by the hash of their name */
	struct fxt_map ids;		/* the first provider with each id */
	struct fxt_words words;		/* entries of the current run */
	struct fxt_keys keys;
	__u64 put_count;
	size_t run_bytes;		/* largest run in memory */
	struct fxt_runs runs;
	struct fxt_streams streams;
	struct fxt_merge merge;
	size_t key_at;			/* index of the next key in the merge */
};

const struct fxt_provider *fxt_sorter_provider_at(const struct fxt_sorter *s, int index)
{
	return fxt_map_get(&s->tables.providers, index + 1);
}

const struct fxt_provider *fxt_sorter_provider_of(const struct fxt_sorter *s, __u32 id)
{
	return fxt_map_get(&s->ids, id);
}

/* Returns a provider's id; a CPU's provider of a recording keeps its id, which identifies it. */
static __u32 provider_id(const char *name, __u32 other)
{
	unsigned int cpu;
	char end;

	return sscanf(name, "fxtrec cpu %5u%c", &cpu, &end) == 1 ? FXT_PROVIDER_CPU(cpu) :
	       other < FXT_PROVIDER_CPU(0) ? other : other + 0x10000;
}

int fxt_sorter_provider(struct fxt_sorter *s, const char *name, size_t bytes, __u32 host)
{
	size_t i = s->tables.providers.count;
	struct fxt_provider *p;
	__u64 key = fxt_keyed_bytes(name, bytes);
	__u32 cpu;

	/* Names with equal hashes have the following keys. */
	for (; (p = fxt_map_get(&s->names, key)); key++)
		if (p->name_bytes == bytes && !memcmp(p->name, name, bytes) &&
		    (p->host == host || !fxt_provider_cpu(p, &cpu)))
			return p->index;
	if (i == FXT_PROVIDERS_MAX || bytes > 255)
		return -E2BIG;
	p = fxt_map_new(&s->tables.providers, i + 1, sizeof(*p));
	if (!p || fxt_map_put(&s->names, key, p))
		return -ENOMEM;
	p->index = i;
	p->announced = true;
	p->ticks_per_second = FXT_TICKS_PER_SECOND;
	p->name_bytes = bytes;
	memcpy(p->name, name, bytes);
	p->id = provider_id(p->name, i + 2);
	p->host = host;
	if (!fxt_map_get(&s->ids, p->id) && fxt_map_put(&s->ids, p->id, p))
		return -ENOMEM;
	return i;
}

int fxt_sorter_form_add(struct fxt_sorter *s, struct fxt_form *form)
{
	return fxt_forms_add(&s->tables.forms, form);
}

/* Sorts the records in memory and writes them to the file. */
static int spill(struct fxt_sorter *s)
{
	int err = fxt_keys_sort(&s->keys);

	if (!err)
		err = fxt_runs_add(&s->runs, &s->keys, s->words.w, s->words.count);
	if (err)
		return err;
	s->words.count = 0;
	s->keys.count = 0;
	return 0;
}

int fxt_sorter_yield(struct fxt_sorter *s)
{
	int err = 0;

	if (s->run_bytes <= YIELDED_BYTES)
		return 0;
	s->run_bytes = YIELDED_BYTES;
	if (s->keys.count)
		err = spill(s);
	fxt_words_uninit(&s->words);
	fxt_keys_uninit(&s->keys);
	return err;
}

/*
 * Makes capacity for an entry with a number of words, and returns them; NULL without memory.  A run's memory is
 * allocated as a whole, and used as it fills.
 */
static __u64 *entry_begin(struct fxt_sorter *s, size_t words, __u32 machine)
{
	__u64 *w;

	if (!s->words.w && s->run_bytes > FXT_HUGE_BYTES) {
		s->words.w = fxt_huge_alloc(s->run_bytes);
		s->words.room = s->words.w ? s->run_bytes / sizeof(*s->words.w) : 0;
	}
	w = fxt_words_more(&s->words, FXT_ENTRY_WORDS + !!machine + words);
	if (w && machine)
		w[FXT_ENTRY_WORDS] = machine;
	return w ? w + FXT_ENTRY_WORDS + !!machine : NULL;
}

/* Completes the entry that starts at index at, with the words put after it. */
static int entry_end(struct fxt_sorter *s, size_t at, __u64 ns, const struct fxt_entry_from *from, __u32 mark)
{
	int err = s->words.failed ? -ENOMEM : fxt_keys_put(&s->keys, ns, at);

	if (err) {
		s->words.count = at;
		return err;
	}
	s->put_count++;
	s->words.w[at] = ns;
	s->words.w[at + 1] = (__u64)from->input << FXT_ENTRY_INPUT_SHIFT |
			     (__u64)from->provider << FXT_ENTRY_PROVIDER_SHIFT | mark |
			     (from->machine ? FXT_ENTRY_MACHINE : 0) | (s->words.count - at - FXT_ENTRY_WORDS);
	if (8 * s->words.count + 2 * sizeof(*s->keys.key) * s->keys.count < s->run_bytes)
		return 0;
	return spill(s);
}

int fxt_sorter_put(struct fxt_sorter *s, const struct fxt_record *r, __u64 ns, const struct fxt_entry_from *from)
{
	bool unsettled = r->kind == FXT_KIND_EVENT && r->event.unsettled;
	size_t at = s->words.count;
	int err = -ENOMEM;

	if (entry_begin(s, 0, from->machine))
		err = fxt_encode(&s->words, r, fxt_strings_ref, s->tables.strings);
	if (err) {
		s->words.count = at;
		return err;
	}
	return entry_end(s, at, ns, from, unsettled ? FXT_ENTRY_UNSETTLED : 0);
}

int fxt_sorter_put_view(struct fxt_sorter *s, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns,
			const struct fxt_entry_from *from)
{
	bool wakeup = kind == FXT_KIND_WAKEUP;
	size_t at = s->words.count, bytes = wakeup ? sizeof(view->wakeup) : sizeof(view->change);
	__u64 *w = entry_begin(s, fxt_words(bytes), from->machine);

	if (!w)
		return -ENOMEM;
	memcpy(w, view, bytes);
	return entry_end(s, at, ns, from, wakeup ? FXT_ENTRY_WAKEUP : FXT_ENTRY_SWITCH);
}

int fxt_sorter_put_formed(struct fxt_sorter *s, const struct fxt_formed *event, __u64 ns,
			  const struct fxt_entry_from *from)
{
	size_t at = s->words.count;
	__u64 *w = entry_begin(s, fxt_formed_words(event), from->machine);

	if (!w)
		return -ENOMEM;
	fxt_formed_texts(&s->tables.forms, event, s->tables.strings);
	fxt_formed_put(event, w);
	return entry_end(s, at, ns, from, FXT_ENTRY_FORMED);
}

struct fxt_streams *fxt_sorter_streams(struct fxt_sorter *s)
{
	return &s->streams;
}

__u64 fxt_sorter_count(const struct fxt_sorter *s)
{
	return s->put_count + s->streams.records;
}

/* Reads the keys in memory, as a source. */
static int memory_next(struct fxt_merge_source *source, __u64 *ns)
{
	struct fxt_sorter *s = (struct fxt_sorter *)source;

	if (s->key_at == s->keys.count)
		return 0;
	*ns = s->keys.key[s->key_at++].ns;
	return 1;
}

static int memory_get(struct fxt_merge_source *source, __u64 ns, struct fxt_record *r)
{
	struct fxt_sorter *s = (struct fxt_sorter *)source;

	(void)ns;
	return fxt_entry_read(&s->tables, s->words.w + s->keys.key[s->key_at - 1].at, r);
}

struct fxt_sorter *fxt_sorter_new(size_t memory, struct fxt_strings *strings, struct fxt_spill *spill)
{
	struct fxt_sorter *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->memory = (struct fxt_merge_source){ .next = memory_next, .get = memory_get };
	s->run_bytes = memory;
	s->tables.strings = strings;
	s->tables.providers.memory.spill = s->names.memory.spill = s->ids.memory.spill = spill;
	fxt_runs_init(&s->runs, &s->tables, spill->spool);
	return s;
}

void fxt_sorter_free(struct fxt_sorter *s)
{
	if (!s)
		return;
	fxt_merge_uninit(&s->merge);
	fxt_keys_uninit(&s->keys);
	fxt_words_uninit(&s->words);
	fxt_runs_uninit(&s->runs);
	fxt_streams_uninit(&s->streams);
	fxt_forms_uninit(&s->tables.forms);
	fxt_map_uninit(&s->names, NULL);
	fxt_map_uninit(&s->ids, NULL);
	fxt_map_uninit(&s->tables.providers, NULL);
	free(s);
}

int fxt_sorter_sort(struct fxt_sorter *s, bool views, struct fxt_merge **merge)
{
	int err = fxt_keys_sort(&s->keys);

	/* Records with equal times come in the order of their puts; records of streams come last. */
	if (!err)
		err = fxt_runs_merge(&s->runs, &s->merge);
	if (!err)
		err = fxt_merge_add(&s->merge, &s->memory);
	*merge = &s->merge;
	return err ? err : fxt_streams_merge(&s->streams, &s->merge, views);
}
