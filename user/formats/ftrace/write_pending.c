// SPDX-License-Identifier: GPL-2.0-only
/* Keeps pending ends of complete events: a heap, by time. */
#include <stdlib.h>

#include "stages/kept.h"
#include "stages/room.h"
#include "formats/ftrace/write.h"

/* Most complete events that are open at a time; further ones become instants. */
#define PENDING_MAX	(1u << 17)

struct fxt_ftrace_pending {
	__u64 ns;
	__u64 order;		/* order of the starts: the last to start is the first to end */
	__u32 cpu;
	__u32 bytes;
	__u32 line;		/* length of its line, estimated */
	struct fxt_kept *kept;	/* encoded event, as its line may be many times as long */
};

static void kept_free(struct fxt_ftrace_writer *w, struct fxt_ftrace_pending *end)
{
	fxt_spill_free(w->threads.memory.spill, end->kept, end->bytes);
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

/* Encodes the event: texts that repeat are in the table.  NULL: no memory. */
static struct fxt_kept *kept_make(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 *bytes)
{
	struct fxt_words *words = &w->words;
	struct fxt_kept *kept;

	words->count = 0;
	words->failed = false;
	if (fxt_encode(words, r, fxt_strings_ref, &w->c->reading.strings) || words->failed)
		return NULL;
	*bytes = sizeof(*kept) + 8 * words->count;
	kept = fxt_spill_alloc(w->threads.memory.spill, *bytes);
	if (!kept)
		return NULL;
	*kept = (struct fxt_kept){ .ns = r->ticks, .provider = r->provider, .words = (__u64 *)(kept + 1),
				   .count = words->count };
	memcpy(kept->words, words->w, 8 * words->count);
	return kept;
}

static __u32 line_estimate(const struct fxt_record *r)
{
	__u64 bytes = FXT_FTRACE_GROWTH * fxt_room(r);

	return bytes < FXT_FTRACE_LINE_MAX ? bytes : FXT_FTRACE_LINE_MAX;
}

bool fxt_ftrace_pending_add(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	struct fxt_ftrace_pending end = {
		.ns = r->event.end > r->ticks ? r->event.end : r->ticks,
		.order = w->pending_order++,
		.cpu = cpu,
	};
	size_t i = w->pending_count;

	if (grow(w))
		return false;
	end.kept = kept_make(w, r, &end.bytes);
	if (!end.kept)
		return false;
	end.line = line_estimate(r);
	w->pending_bytes += end.line;
	w->pending[w->pending_count++] = end;
	for (; i && before(&w->pending[i], &w->pending[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&w->pending[i], &w->pending[(i - 1) / 2]);
	return true;
}

void fxt_ftrace_pending_write(struct fxt_ftrace_writer *w, __u64 ns)
{
	while (w->pending_count && w->pending->ns <= ns && !w->err) {
		struct fxt_ftrace_pending *end = w->pending;

		w->err = fxt_kept_get(end->kept, &w->c->reading.strings, &w->scratch);
		w->scratch.ticks = end->ns;
		if (!w->err)
			fxt_ftrace_end(w, &w->scratch, end->cpu, "complete");
		kept_free(w, end);
		w->pending_bytes -= end->line;
		*end = w->pending[--w->pending_count];
		sink(w);
	}
}

void fxt_ftrace_pending_uninit(struct fxt_ftrace_writer *w)
{
	while (w->pending_count)
		kept_free(w, &w->pending[--w->pending_count]);
	free(w->pending);
	fxt_words_uninit(&w->words);
}
