// SPDX-License-Identifier: GPL-2.0-only
/* Ends of complete events, which wait in a heap until their time has come. */
#include <stdlib.h>

#include "convert/ftrace/write.h"

/* More events than these don't stay open at a time: the others are instants. */
#define ENDS_MAX	(1u << 17)

struct fxt_ftrace_end {
	__u64 ns;
	__u64 order;		/* of beginning: the last to begin is the first to end */
	__u64 thread;
	__u32 cpu;
	__u32 bytes;
	char *text;		/* the mark from its event's name on */
};

__u64 fxt_ftrace_ends_next(const struct fxt_ftrace_writer *w)
{
	return w->end_count ? w->ends->ns : ~0ULL;
}

static bool before(const struct fxt_ftrace_end *a, const struct fxt_ftrace_end *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->order > b->order;
}

static void swap(struct fxt_ftrace_end *a, struct fxt_ftrace_end *b)
{
	struct fxt_ftrace_end c = *a;

	*a = *b;
	*b = c;
}

static void sink(struct fxt_ftrace_writer *w)
{
	size_t i = 0, child;

	while ((child = 2 * i + 1) < w->end_count) {
		if (child + 1 < w->end_count && before(&w->ends[child + 1], &w->ends[child]))
			child++;
		if (!before(&w->ends[child], &w->ends[i]))
			return;
		swap(&w->ends[child], &w->ends[i]);
		i = child;
	}
}

static int grow(struct fxt_ftrace_writer *w)
{
	size_t room = w->end_room ? 2 * w->end_room : 64;
	struct fxt_ftrace_end *ends;

	if (w->end_count < w->end_room)
		return 0;
	ends = room <= ENDS_MAX ? realloc(w->ends, room * sizeof(*ends)) : NULL;
	if (!ends)
		return -1;
	w->ends = ends;
	w->end_room = room;
	return 0;
}

bool fxt_ftrace_end_put(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu,
			const char *text, size_t bytes)
{
	struct fxt_ftrace_end end = {
		.ns = r->event.end > r->ticks ? r->event.end : r->ticks,
		.order = w->end_order++,
		.thread = r->thread.thread,
		.cpu = cpu,
		.bytes = bytes,
	};
	size_t i = w->end_count;

	if (grow(w))
		return false;
	end.text = malloc(bytes);
	if (!end.text)
		return false;
	memcpy(end.text, text, bytes);
	w->ends[w->end_count++] = end;
	for (; i && before(&w->ends[i], &w->ends[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&w->ends[i], &w->ends[(i - 1) / 2]);
	return true;
}

void fxt_ftrace_ends_write(struct fxt_ftrace_writer *w, __u64 ns)
{
	while (w->end_count && w->ends->ns <= ns) {
		struct fxt_ftrace_end *end = w->ends;
		struct fxt_ftrace_thread *t = fxt_ftrace_thread(w, end->thread);
		char *at = fxt_out_room(w->out, FXT_FTRACE_LINE_MAX);

		if (!t)
			return;
		at = fxt_ftrace_head(w, at, t, end->cpu, end->ns);
		fxt_ftrace_line_end(w, fxt_ftrace_copy(at, end->text, end->bytes));
		free(end->text);
		*end = w->ends[--w->end_count];
		sink(w);
	}
}

void fxt_ftrace_ends_uninit(struct fxt_ftrace_writer *w)
{
	while (w->end_count)
		free(w->ends[--w->end_count].text);
	free(w->ends);
}
