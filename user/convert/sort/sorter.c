// SPDX-License-Identifier: GPL-2.0-only
/* Sorts a conversion's records in bounded memory: runs in a file, then merged. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/sort/sorter.h"
#include "fxt/linux.h"

/* Where the next record of each source stands; the heap has the least of them first. */
struct fxt_sorter_next {
	__u64 ns;
	size_t source;
};

int fxt_sorter_init(struct fxt_sorter *s, size_t memory)
{
	*s = (struct fxt_sorter){ .run_bytes = memory };
	fxt_runs_init(&s->runs);
	return fxt_strings_init(&s->strings);
}

void fxt_sorter_uninit(struct fxt_sorter *s)
{
	free(s->heap);
	free(s->keys);
	fxt_words_uninit(&s->words);
	fxt_runs_uninit(&s->runs);
	fxt_streams_uninit(&s->streams);
	fxt_strings_uninit(&s->strings);
	fxt_map_uninit(&s->providers, free);
}

static const struct fxt_provider *provider_at(const struct fxt_sorter *s, int index)
{
	return fxt_map_get(&s->providers, index + 1);
}

/* A CPU's provider of a recording of ours keeps its id, by which it is known. */
static __u32 provider_id(const char *name, __u32 other)
{
	unsigned int cpu;
	char end;

	return sscanf(name, "fxtrec cpu %5u%c", &cpu, &end) == 1 ? FXT_PROVIDER_CPU(cpu) :
	       other < FXT_PROVIDER_CPU(0) ? other : other + 0x10000;
}

int fxt_sorter_provider(struct fxt_sorter *s, const char *name, size_t bytes)
{
	struct fxt_provider *p;
	size_t i;
	int err;

	for (i = 0; i < s->providers.count; i++) {
		const struct fxt_provider *known = provider_at(s, i);

		if (known->name_bytes == bytes && !memcmp(known->name, name, bytes))
			return i;
	}
	if (s->providers.count == FXT_PROVIDERS_MAX || bytes > 255)
		return -E2BIG;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->announced = true;
	p->ticks_per_second = FXT_TICKS_PER_SECOND;
	p->name_bytes = bytes;
	memcpy(p->name, name, bytes);
	p->id = provider_id(p->name, s->providers.count + 2);
	err = fxt_map_put(&s->providers, s->providers.count + 1, p);
	if (err) {
		free(p);
		return err;
	}
	return s->providers.count - 1;
}

/* Sorts what is in memory and moves it to the file. */
static int spill(struct fxt_sorter *s)
{
	int err = fxt_keys_sort(s->keys, s->key_count);

	if (!err)
		err = fxt_runs_add(&s->runs, s->keys, s->key_count, s->words.w);
	if (err)
		return err;
	s->words.count = 0;
	s->key_count = 0;
	return 0;
}

static int key_put(struct fxt_sorter *s, __u64 ns, size_t at)
{
	if (s->key_count == s->key_room) {
		size_t room = s->key_room ? 2 * s->key_room : 4096;
		struct fxt_key *keys = realloc(s->keys, room * sizeof(*keys));

		if (!keys)
			return -ENOMEM;
		s->keys = keys;
		s->key_room = room;
	}
	s->keys[s->key_count++] = (struct fxt_key){ ns, at };
	return 0;
}

/* Completes the entry that begins at at, of the words behind it. */
static int entry_end(struct fxt_sorter *s, size_t at, __u64 ns, int provider, __u32 mark)
{
	int err = s->words.failed ? -ENOMEM : key_put(s, ns, at);

	if (err) {
		s->words.count = at;
		return err;
	}
	s->put_count++;
	s->words.w[at] = ns;
	s->words.w[at + 1] = (__u64)provider << 32 | mark | (s->words.count - at - FXT_ENTRY_WORDS);
	if (8 * s->words.count + 2 * sizeof(*s->keys) * s->key_count < s->run_bytes)
		return 0;
	return spill(s);
}

int fxt_sorter_put(struct fxt_sorter *s, const struct fxt_record *r, __u64 ns, int provider)
{
	size_t at = s->words.count;
	int err = -ENOMEM;

	if (fxt_words_more(&s->words, FXT_ENTRY_WORDS))
		err = fxt_encode(&s->words, r, fxt_strings_ref, &s->strings);
	if (err) {
		s->words.count = at;
		return err;
	}
	return entry_end(s, at, ns, provider, 0);
}

int fxt_sorter_put_view(struct fxt_sorter *s, enum fxt_kind kind, const void *view, size_t bytes,
		       __u64 ns, int provider)
{
	size_t at = s->words.count;
	__u64 *w = fxt_words_more(&s->words, FXT_ENTRY_WORDS + fxt_words(bytes));

	if (!w)
		return -ENOMEM;
	memcpy(w + FXT_ENTRY_WORDS, view, bytes);
	return entry_end(s, at, ns, provider,
			 kind == FXT_KIND_WAKEUP ? FXT_ENTRY_WAKEUP : FXT_ENTRY_SWITCH);
}

__u64 fxt_sorter_count(const struct fxt_sorter *s)
{
	return s->put_count + s->streams.noted;
}

/*
 * The sources, in the order in which records of equal times come: the runs of
 * the file as they were put, what is still in memory, the streams.
 */
static size_t memory_source(const struct fxt_sorter *s)
{
	return s->runs.count;
}

static struct fxt_stream *stream_at(const struct fxt_sorter *s, size_t source)
{
	return s->streams.stream[source - memory_source(s) - 1];
}

static const __u64 *memory_entry(const struct fxt_sorter *s)
{
	return s->words.w + s->keys[s->key_at - 1].at;
}

/* Moves a source to its next record and tells the time of it.  1; 0 at its end; -errno. */
static int source_next(struct fxt_sorter *s, size_t source, __u64 *ns)
{
	int got;

	if (source > memory_source(s))
		return fxt_stream_next(stream_at(s, source), ns);
	if (source == memory_source(s)) {
		if (s->key_at == s->key_count)
			return 0;
		*ns = s->keys[s->key_at++].ns;
		return 1;
	}
	got = fxt_runs_next(&s->runs, source);
	if (got > 0)
		*ns = *fxt_runs_entry(&s->runs, source);
	return got;
}

static bool before(const struct fxt_sorter_next *a, const struct fxt_sorter_next *b)
{
	return a->ns < b->ns || (a->ns == b->ns && a->source < b->source);
}

static void heap_sink(struct fxt_sorter *s, size_t i)
{
	struct fxt_sorter_next *heap = s->heap, sinking = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= s->heap_count)
			break;
		if (child + 1 < s->heap_count && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &sinking))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = sinking;
}

int fxt_sorter_sort(struct fxt_sorter *s)
{
	size_t sources = s->runs.count + 1 + s->streams.count, i;
	int err = fxt_keys_sort(s->keys, s->key_count);

	if (err)
		return err;
	s->heap = calloc(sources, sizeof(*s->heap));
	if (!s->heap)
		return -ENOMEM;
	fxt_streams_begin(&s->streams);
	for (i = 0; i < sources; i++) {
		struct fxt_sorter_next *next = &s->heap[s->heap_count];
		int got = source_next(s, i, &next->ns);

		next->source = i;
		if (got < 0)
			return got;
		s->heap_count += got;
	}
	for (i = s->heap_count; i-- > 0;)
		heap_sink(s, i);
	return 0;
}

static int record_get(struct fxt_sorter *s, const __u64 *entry, struct fxt_record *r)
{
	struct fxt_decoder decoder = { .provider = &s->strings.tables.implied };
	struct fxt_frame frame;
	int err = fxt_frame_read(&frame, entry + FXT_ENTRY_WORDS,
				 8 * (fxt_entry_words(entry) - FXT_ENTRY_WORDS), entry[0]);

	return err ? err : fxt_decoder_read(&decoder, &frame, r);
}

/* A record of which there is a view alone; the caller sets its kind and the view. */
static void brief_get(struct fxt_record *r, __u64 ns)
{
	r->frame = (struct fxt_frame){ .offset = ns };
	r->timed = true;
	r->arg_count = 0;
	r->ticks = ns;
}

static int entry_get(struct fxt_sorter *s, const __u64 *entry, struct fxt_record *r)
{
	r->provider = provider_at(s, entry[1] >> 32);
	if (!(entry[1] & FXT_ENTRY_VIEW)) {
		const struct fxt_provider *provider = r->provider;
		int err = record_get(s, entry, r);

		r->provider = provider;
		return err ? -EIO : 0;
	}
	brief_get(r, entry[0]);
	r->kind = entry[1] & FXT_ENTRY_WAKEUP ? FXT_KIND_WAKEUP : FXT_KIND_CONTEXT_SWITCH;
	r->view = entry + FXT_ENTRY_WORDS;
	return 0;
}

/* The heap's first source goes on to its next record. */
static int first_pass(struct fxt_sorter *s)
{
	int got = source_next(s, s->heap[0].source, &s->heap[0].ns);

	if (got < 0)
		return got;
	if (!got)
		s->heap[0] = s->heap[--s->heap_count];
	if (s->heap_count)
		heap_sink(s, 0);
	return 0;
}

int fxt_sorter_next(struct fxt_sorter *s, struct fxt_record *r)
{
	const struct fxt_sorter_next *first;
	int err = 0;

	if (s->given)
		err = first_pass(s);
	s->given = true;
	if (err || !s->heap_count)
		return err;
	first = s->heap;
	if (first->source > memory_source(s)) {
		brief_get(r, first->ns);
		fxt_stream_record(stream_at(s, first->source), r);
		return 1;
	}
	err = entry_get(s, first->source == memory_source(s) ? memory_entry(s) :
			fxt_runs_entry(&s->runs, first->source), r);
	return err ? err : 1;
}
