// SPDX-License-Identifier: GPL-2.0-only
/* Merges sources that are each in time order. */
#include <errno.h>
#include <stdlib.h>

#include "stream/merge.h"
#include "util/array.h"

/* A source and the time of its current record. */
struct fxt_merge_head {
	__u64 ns;
	size_t order;
	struct fxt_merge_source *source;
};

static bool before(const struct fxt_merge_head *a, const struct fxt_merge_head *b)
{
	return a->ns < b->ns || (a->ns == b->ns && a->order < b->order);
}

static void sift_down(struct fxt_merge *m, size_t i)
{
	struct fxt_merge_head *heap = m->heap, sinking = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= m->count)
			break;
		if (child + 1 < m->count && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &sinking))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = sinking;
}

int fxt_merge_add(struct fxt_merge *m, struct fxt_merge_source *source)
{
	struct fxt_merge_head head = { .order = m->added++, .source = source };
	size_t i;
	int got = source->next(source, &head.ns);

	if (got <= 0)
		return got;
	if (fxt_array_more(m->heap, m->count))
		return -ENOMEM;
	for (i = m->count++; i && before(&head, &m->heap[(i - 1) / 2]); i = (i - 1) / 2)
		m->heap[i] = m->heap[(i - 1) / 2];
	m->heap[i] = head;
	m->until = 0;
	return 0;
}

/* Returns the earliest source after the first one; NULL: there is none. */
static const struct fxt_merge_head *second(const struct fxt_merge *m)
{
	const struct fxt_merge_head *heap = m->heap;

	if (m->count < 3)
		return m->count == 2 ? &heap[1] : NULL;
	return before(&heap[2], &heap[1]) ? &heap[2] : &heap[1];
}

/* Moves the first source to its next record, and restores the heap's order. */
static int advance(struct fxt_merge *m)
{
	struct fxt_merge_source *source = m->heap->source;
	int got = source->next(source, &m->heap->ns);

	if (got < 0)
		return got;
	/* The first source mostly stays the first: events of a CPU come in groups. */
	if (got && m->heap->ns < m->until)
		return 0;
	if (!got)
		m->heap[0] = m->heap[--m->count];
	if (m->count) {
		sift_down(m, 0);
		m->until = second(m) ? second(m)->ns : ~0ULL;
	}
	return 0;
}

int fxt_merge_next_any(struct fxt_merge *m, struct fxt_record *r)
{
	int err = m->current && m->count ? advance(m) : 0;

	m->current = m->count ? m->heap->source : NULL;
	if (err || !m->count)
		return err;
	err = m->current->get(m->current, m->heap->ns, r);
	return err ? err : 1;
}

const struct fxt_brief *fxt_merge_next_briefs(struct fxt_merge *m, const struct fxt_brief **end)
{
	struct fxt_merge_source *source = m->current;
	const struct fxt_brief *first;

	if (!fxt_merge_goes_on(m))
		return NULL;
	first = ++source->brief;
	while (fxt_merge_goes_on(m))
		source->brief++;
	*end = source->brief + 1;
	return first;
}

void fxt_merge_uninit(struct fxt_merge *m)
{
	free(m->heap);
	*m = (struct fxt_merge){ 0 };
}
