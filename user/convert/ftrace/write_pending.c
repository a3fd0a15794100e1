// SPDX-License-Identifier: GPL-2.0-only
/* Pending ends of complete events: a heap, by time. */
#include <stdlib.h>

#include "convert/ftrace/write.h"

/* Complete events that can be open at a time; the others become instants. */
#define PENDING_MAX	(1u << 17)

struct fxt_ftrace_pending {
	__u64 ns;
	__u64 order;		/* of the begins: the last to begin is the first to end */
	__u64 thread;
	__u32 cpu;
	__u32 bytes;
	char *text;		/* the mark from its event's name on */
};

static void text_free(struct fxt_ftrace_writer *w, struct fxt_ftrace_pending *end)
{
	fxt_spill_free(w->threads.memory.spill, end->text, end->bytes);
}

__u64 fxt_ftrace_pending_next(const struct fxt_ftrace_writer *w)
{
	return w->pending_count ? w->pending->ns : ~0ULL;
}

static bool before(const struct fxt_ftrace_pending *a, const struct fxt_ftrace_pending *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->order > b->order;
}

static void swap(struct fxt_ftrace_pending *a, struct fxt_ftrace_pending *b)
{
	struct fxt_ftrace_pending c = *a;

	*a = *b;
	*b = c;
}

static void sink(struct fxt_ftrace_writer *w)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->pending_count) {
		if (child + 1 < w->pending_count && before(&w->pending[child + 1], &w->pending[child]))
			child++;
		if (!before(&w->pending[child], &w->pending[i]))
			return;
		swap(&w->pending[child], &w->pending[i]);
		i = child;
	}
}

static int grow(struct fxt_ftrace_writer *w)
{
	size_t room = w->pending_room ? 2 * w->pending_room : 64;
	struct fxt_ftrace_pending *pending;

	if (w->pending_count < w->pending_room)
		return 0;
	pending = room <= PENDING_MAX ? realloc(w->pending, room * sizeof(*pending)) : NULL;
	if (!pending)
		return -1;
	w->pending = pending;
	w->pending_room = room;
	return 0;
}

bool fxt_ftrace_pending_add(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu,
			    const char *text, size_t bytes)
{
	struct fxt_ftrace_pending end = {
		.ns = r->event.end > r->ticks ? r->event.end : r->ticks,
		.order = w->pending_order++,
		.thread = r->thread.thread,
		.cpu = cpu,
		.bytes = bytes,
	};
	struct fxt_spill *spill = w->threads.memory.spill;
	size_t i = w->pending_count;

	if (grow(w))
		return false;
	end.text = fxt_spill_alloc(spill, bytes);
	if (!end.text)
		return false;
	memcpy(end.text, text, bytes);
	w->pending[w->pending_count++] = end;
	for (; i && before(&w->pending[i], &w->pending[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&w->pending[i], &w->pending[(i - 1) / 2]);
	return true;
}

void fxt_ftrace_pending_write(struct fxt_ftrace_writer *w, __u64 ns)
{
	while (w->pending_count && w->pending->ns <= ns) {
		struct fxt_ftrace_pending *end = w->pending;
		struct fxt_ftrace_thread *t = fxt_ftrace_thread(w, end->thread);
		char *at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);

		if (!t)
			return;
		at = fxt_ftrace_head(w, at, t, end->cpu, end->ns);
		fxt_spill_touch(w->threads.memory.spill, end->text);
		fxt_ftrace_line_end(w, fxt_ftrace_copy(at, end->text, end->bytes));
		text_free(w, end);
		*end = w->pending[--w->pending_count];
		sink(w);
	}
}

void fxt_ftrace_pending_uninit(struct fxt_ftrace_writer *w)
{
	while (w->pending_count)
		text_free(w, &w->pending[--w->pending_count]);
	free(w->pending);
}
