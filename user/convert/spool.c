// SPDX-License-Identifier: GPL-2.0-only
/* Sorts a conversion's records in bounded memory: runs in a file, then merged. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fxt/linux.h"
#include "out.h"
#include "spool.h"

/*
 * Each entry: its ns; provider << 32, a mark where it is a view, and the words
 * that follow; then the record, or the view.
 */
#define ENTRY_WORDS	2
#define VIEW_SWITCH	0x80000000u
#define VIEW_WAKEUP	0x40000000u
#define VIEWS		(VIEW_SWITCH | VIEW_WAKEUP)

/* A sorted run: in memory as keys and words (the last), or in the file. */
struct fxt_spool_run {
	__u64 begin, end;	/* bytes of the file that are still to be read */
	__u64 *buffer;
	size_t room;		/* words that buffer has room for */
	size_t count;		/* words in it */
	size_t at;		/* the current entry's */
	size_t key;		/* in memory: the current key */
};

#define RUN_BUFFER_WORDS	(16u << 10)

int fxt_spool_init(struct fxt_spool *s, size_t memory)
{
	*s = (struct fxt_spool){ .fd = -1, .run_bytes = memory };
	return fxt_strings_init(&s->strings);
}

void fxt_spool_uninit(struct fxt_spool *s)
{
	size_t i;

	for (i = 0; i < s->run_count; i++)
		free(s->runs[i].buffer);
	free(s->runs);
	free(s->heap);
	free(s->keys);
	fxt_words_uninit(&s->words);
	fxt_strings_uninit(&s->strings);
	fxt_map_uninit(&s->providers, free);
	if (s->fd >= 0)
		close(s->fd);
}

static const struct fxt_provider *provider_at(const struct fxt_spool *s, int index)
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

int fxt_spool_provider(struct fxt_spool *s, const char *name, size_t bytes)
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

static int file_open(struct fxt_spool *s)
{
	const char *folder = getenv("TMPDIR");

	s->fd = open(folder && *folder ? folder : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return s->fd < 0 ? -errno : 0;
}

static size_t entry_words(const __u64 *entry)
{
	return ENTRY_WORDS + (entry[1] & 0xffffffff & ~VIEWS);
}

/* Writes the keys' entries in their order, through a buffer. */
static int entries_write(struct fxt_spool *s, __u64 *buffer)
{
	size_t filled = 0, i;
	int err = 0;

	for (i = 0; i < s->key_count && !err; i++) {
		const __u64 *entry = s->words.w + s->keys[i].at;
		size_t words = entry_words(entry);

		if (filled + words > RUN_BUFFER_WORDS) {
			err = fxt_write_all(s->fd, buffer, 8 * filled);
			filled = 0;
		}
		if (err)
			break;
		if (words > RUN_BUFFER_WORDS) {
			err = fxt_write_all(s->fd, entry, 8 * words);
			continue;
		}
		memcpy(buffer + filled, entry, 8 * words);
		filled += words;
	}
	return err ? err : fxt_write_all(s->fd, buffer, 8 * filled);
}

static int run_add(struct fxt_spool *s, const struct fxt_spool_run *run)
{
	struct fxt_spool_run *runs = realloc(s->runs, (s->run_count + 1) * sizeof(*runs));

	if (!runs)
		return -ENOMEM;
	s->runs = runs;
	s->runs[s->run_count++] = *run;
	return 0;
}

/* Sorts what is in memory and moves it to the file. */
static int spill(struct fxt_spool *s)
{
	struct fxt_spool_run run = { .begin = s->spilled };
	__u64 *buffer = malloc(8 * RUN_BUFFER_WORDS);
	int err = fxt_keys_sort(s->keys, s->key_count);

	if (!err && !buffer)
		err = -ENOMEM;
	if (!err && s->fd < 0)
		err = file_open(s);
	if (!err)
		err = entries_write(s, buffer);
	free(buffer);
	if (err)
		return err;
	s->spilled += 8 * s->words.count;
	run.end = s->spilled;
	s->words.count = 0;
	s->key_count = 0;
	return run_add(s, &run);
}

static int key_put(struct fxt_spool *s, __u64 ns, size_t at)
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
static int entry_end(struct fxt_spool *s, size_t at, __u64 ns, int provider, __u32 mark)
{
	int err = s->words.failed ? -ENOMEM : key_put(s, ns, at);

	if (err) {
		s->words.count = at;
		return err;
	}
	s->words.w[at] = ns;
	s->words.w[at + 1] = (__u64)provider << 32 | mark | (s->words.count - at - ENTRY_WORDS);
	if (8 * s->words.count + 2 * sizeof(*s->keys) * s->key_count < s->run_bytes)
		return 0;
	return spill(s);
}

int fxt_spool_put(struct fxt_spool *s, const struct fxt_record *r, __u64 ns, int provider)
{
	size_t at = s->words.count;
	int err = -ENOMEM;

	if (fxt_words_more(&s->words, ENTRY_WORDS))
		err = fxt_encode(&s->words, r, fxt_strings_ref, &s->strings);
	if (err) {
		s->words.count = at;
		return err;
	}
	return entry_end(s, at, ns, provider, 0);
}

int fxt_spool_put_view(struct fxt_spool *s, enum fxt_kind kind, const void *view, size_t bytes,
		       __u64 ns, int provider)
{
	size_t at = s->words.count;
	__u64 *w = fxt_words_more(&s->words, ENTRY_WORDS + fxt_words(bytes));

	if (!w)
		return -ENOMEM;
	memcpy(w + ENTRY_WORDS, view, bytes);
	return entry_end(s, at, ns, provider,
			 kind == FXT_KIND_WAKEUP ? VIEW_WAKEUP : VIEW_SWITCH);
}

/* Has a run's current entry stand whole in its buffer; 1, 0 at its end, -errno. */
static int run_fill(struct fxt_spool *s, struct fxt_spool_run *run)
{
	size_t left = run->count - run->at, need = ENTRY_WORDS;

	if (left >= need)
		need = entry_words(run->buffer + run->at);
	if (left >= need)
		return 1;
	if (!left && run->begin == run->end)
		return 0;
	memmove(run->buffer, run->buffer + run->at, 8 * left);
	run->at = 0;
	run->count = left;
	for (;;) {
		size_t want;
		ssize_t got;

		if (need > run->room) {
			__u64 *buffer = realloc(run->buffer, 8 * need);

			if (!buffer)
				return -ENOMEM;
			run->buffer = buffer;
			run->room = need;
		}
		want = 8 * (run->room - run->count);
		if (want > run->end - run->begin)
			want = run->end - run->begin;
		got = pread(s->fd, run->buffer + run->count, want, run->begin);
		if (got <= 0)
			return got ? -errno : -EIO;
		run->begin += got & ~7;
		run->count += got / 8;
		if (run->count >= ENTRY_WORDS)
			need = entry_words(run->buffer);
		if (run->count >= need)
			return 1;
	}
}

/* Stable: of equal times, the run that was put earlier is first. */
static int before(const struct fxt_spool *s, size_t a, size_t b)
{
	const struct fxt_spool_run *x = &s->runs[a], *y = &s->runs[b];

	if (x->buffer[x->at] != y->buffer[y->at])
		return x->buffer[x->at] < y->buffer[y->at];
	return a < b;
}

static void heap_sink(struct fxt_spool *s, size_t i)
{
	for (;;) {
		size_t least = i, child = 2 * i + 1, run;

		if (child < s->heap_count && before(s, s->heap[child], s->heap[least]))
			least = child;
		if (child + 1 < s->heap_count && before(s, s->heap[child + 1], s->heap[least]))
			least = child + 1;
		if (least == i)
			return;
		run = s->heap[i];
		s->heap[i] = s->heap[least];
		s->heap[least] = run;
		i = least;
	}
}

/* Reads the beginning of every run in the file. */
static int merge_begin(struct fxt_spool *s)
{
	size_t i;

	s->heap = calloc(s->run_count, sizeof(*s->heap));
	if (!s->heap)
		return -ENOMEM;
	for (i = 0; i < s->run_count; i++) {
		struct fxt_spool_run *run = &s->runs[i];
		int got;

		run->room = RUN_BUFFER_WORDS;
		run->buffer = malloc(8 * run->room);
		if (!run->buffer)
			return -ENOMEM;
		got = run_fill(s, run);
		if (got < 0)
			return got;
		if (got)
			s->heap[s->heap_count++] = i;
	}
	for (i = s->heap_count; i-- > 0;)
		heap_sink(s, i);
	return 0;
}

int fxt_spool_sort(struct fxt_spool *s)
{
	int err;

	if (!s->run_count)
		return fxt_keys_sort(s->keys, s->key_count);
	err = spill(s);
	fxt_words_uninit(&s->words);
	free(s->keys);
	s->keys = NULL;
	return err ? err : merge_begin(s);
}

/* The next entry: from memory where all fitted, else the least of the runs'. */
static int entry_next(struct fxt_spool *s, const __u64 **entry)
{
	struct fxt_spool_run *run;
	int got;

	if (!s->run_count) {
		if (s->heap_count == s->key_count)
			return 0;
		*entry = s->words.w + s->keys[s->heap_count++].at;
		return 1;
	}
	if (!s->heap_count)
		return 0;
	run = &s->runs[s->heap[0]];
	if (run->key) {
		run->at += entry_words(run->buffer + run->at);
		run->key = 0;
		got = run_fill(s, run);
		if (got < 0)
			return got;
		if (!got)
			s->heap[0] = s->heap[--s->heap_count];
		heap_sink(s, 0);
		if (!s->heap_count)
			return 0;
		run = &s->runs[s->heap[0]];
	}
	/* Stays in place until the next call, which goes past it. */
	run->key = 1;
	*entry = run->buffer + run->at;
	return 1;
}

static void view_get(const __u64 *entry, struct fxt_record *r)
{
	r->frame = (struct fxt_frame){ .offset = entry[0] };
	r->kind = entry[1] & VIEW_WAKEUP ? FXT_KIND_WAKEUP : FXT_KIND_CONTEXT_SWITCH;
	r->timed = true;
	r->arg_count = 0;
	r->ticks = entry[0];
	r->view = entry + ENTRY_WORDS;
}

static int record_get(struct fxt_spool *s, const __u64 *entry, struct fxt_record *r)
{
	struct fxt_decoder decoder = { .provider = &s->strings.tables.implied };
	struct fxt_frame frame;
	int err = fxt_frame_read(&frame, entry + ENTRY_WORDS,
				 8 * (entry_words(entry) - ENTRY_WORDS), entry[0]);

	return err ? err : fxt_decoder_read(&decoder, &frame, r);
}

int fxt_spool_next(struct fxt_spool *s, struct fxt_record *r)
{
	const __u64 *entry;
	int got = entry_next(s, &entry);

	if (got <= 0)
		return got;
	if (entry[1] & VIEWS)
		view_get(entry, r);
	else if (record_get(s, entry, r))
		return -EIO;
	r->provider = provider_at(s, entry[1] >> 32);
	return 1;
}
