// SPDX-License-Identifier: GPL-2.0-only
/* Open slices of programs' threads. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fxt/wire.h"
#include "marks/spans.h"
#include "store/hash.h"
#include "util/array.h"

struct thread {
	unsigned int depth;
	size_t room;
	__u64 *open;		/* hashes of category and name, the outermost first */
};

static struct thread *thread_of(struct fxt_spans *spans, __u64 tid)
{
	struct thread *thread = fxt_map_get(&spans->threads, tid);

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (thread && fxt_map_put(&spans->threads, tid, thread)) {
		free(thread);
		thread = NULL;
	}
	return thread;
}

/* Returns a hash of category and name. */
static __u64 name_of(const __u64 *w)
{
	__u64 words = fxt_words(fxt_field(*w, 32, 46)) + fxt_words(fxt_field(*w, 48, 62)), i;
	__u64 sum = FXT_HASH_START ^ *w >> 32;

	for (i = 0; i < words; i++)
		sum = fxt_hash_step(sum, w[4 + i]);
	return sum;
}

static int begin(struct thread *t, __u64 name)
{
	int err = fxt_array_reach(t->open, t->room, t->depth);

	if (err)
		return err;
	t->open[t->depth++] = name;
	return 0;
}

/* Closes a slice.  An end without a name closes the innermost slice. */
static int end(struct thread *t, __u64 name, int named)
{
	unsigned int i;

	for (i = t->depth; i; i--) {
		if (!named || t->open[i - 1] == name) {
			int between = t->depth - i;

			t->depth = i - 1;
			return between;
		}
	}
	return -ENOENT;
}

static void thread_free(void *value)
{
	struct thread *thread = value;

	free(thread->open);
	free(thread);
}

/* Removes a thread without an open slice. */
static void forget_idle(struct fxt_spans *spans, __u64 tid, const struct thread *thread)
{
	if (!thread->depth)
		thread_free(fxt_map_remove(&spans->threads, tid));
}

static int begin_take(struct fxt_spans *spans, const __u64 *w)
{
	struct thread *thread;
	int err;

	if (spans->max && spans->open == spans->max)
		return -E2BIG;
	thread = thread_of(spans, w[3]);
	if (!thread)
		return -ENOMEM;
	if (thread->depth == FXT_SPANS_DEPTH_MAX)
		return -E2BIG;
	err = begin(thread, name_of(w));
	spans->open += !err;
	forget_idle(spans, w[3], thread);
	return err;
}

static int end_take(struct fxt_spans *spans, const __u64 *w)
{
	struct thread *thread = fxt_map_get(&spans->threads, w[3]);
	int between;

	if (!thread)
		return -ENOENT;
	between = end(thread, name_of(w), fxt_field(*w, 48, 63) != 0);
	if (between >= 0)
		spans->open -= between + 1;
	forget_idle(spans, w[3], thread);
	return between;
}

int fxt_spans_take(struct fxt_spans *spans, const __u64 *w)
{
	switch (fxt_field(*w, 16, 19)) {
	case FXT_EVENT_DURATION_BEGIN:
		return begin_take(spans, w);
	case FXT_EVENT_DURATION_END:
		return end_take(spans, w);
	default:
		return 0;
	}
}

ssize_t fxt_spans_filter(struct fxt_spans *spans, __u64 *records, size_t words)
{
	__u64 *w = records, *end = records + words, *to = records;

	while (w < end) {
		__u64 size = fxt_field(*w, 4, 15);
		int taken = 0;

		/* The tool's own events are on a thread of its table. */
		if (fxt_field(*w, 0, 3) == FXT_RECORD_EVENT && !fxt_field(*w, 24, 31))
			taken = fxt_spans_take(spans, w);
		if (taken == -ENOMEM)
			return taken;
		if (taken >= 0) {
			memmove(to, w, 8 * size);
			to += size;
		}
		w += size;
	}
	return to - records;
}

void fxt_spans_uninit(struct fxt_spans *spans)
{
	fxt_map_uninit(&spans->threads, thread_free);
	*spans = (struct fxt_spans){};
}
