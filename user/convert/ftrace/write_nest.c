// SPDX-License-Identifier: GPL-2.0-only
/* How slices of a thread nest: in ftrace's text, each end ends the innermost one. */
#include <errno.h>

#include "convert/ftrace/write.h"

#define NOT_KNOWN	(~0ULL)

static struct fxt_ftrace_open *open_of(struct fxt_ftrace_writer *w, struct fxt_ftrace_thread *t)
{
	struct fxt_ftrace_open *open = t->open;

	if (!open) {
		open = fxt_arena_alloc(&w->threads.memory, sizeof(*open));
		fxt_spill_touch(w->threads.memory.spill, t);
		t->open = open;
	}
	if (!open)
		w->err = -ENOMEM;
	fxt_spill_touch(w->threads.memory.spill, open);
	return open;
}

static void drop_ended(struct fxt_ftrace_open *open, __u64 ns)
{
	while (open->depth && open->ends[open->depth - 1] <= ns)
		open->depth--;
}

static void begin(struct fxt_ftrace_open *open, __u64 end)
{
	if (open->depth < FXT_FTRACE_OPEN_MAX)
		open->ends[open->depth++] = end;
	else
		open->deeper += end == NOT_KNOWN;
}

/* Ends the innermost begin; whether a slice crosses it: from within to behind it, or from around it to before. */
static bool end(struct fxt_ftrace_open *open, __u64 ns)
{
	__u32 i = open->depth;
	bool crossed = false;

	if (open->deeper) {
		open->deeper--;
		return false;
	}
	while (i && open->ends[i - 1] != NOT_KNOWN)
		crossed |= open->ends[--i] > ns;
	if (!i)
		return false;
	open->depth = i - 1;
	return crossed || (open->depth && open->ends[open->depth - 1] < ns);
}

void fxt_ftrace_nest(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_thread *t = fxt_ftrace_thread(w, r->thread.thread);
	struct fxt_ftrace_open *open = t ? open_of(w, t) : NULL;
	bool crosses = false;

	if (!open)
		return;
	drop_ended(open, r->ticks);
	if (r->event.type == FXT_EVENT_DURATION_BEGIN) {
		begin(open, NOT_KNOWN);
	} else if (r->event.type == FXT_EVENT_DURATION_END) {
		crosses = end(open, r->ticks);
	} else if (r->event.end > r->ticks) {
		crosses = open->depth && open->ends[open->depth - 1] < r->event.end;
		begin(open, r->event.end);
	}
	if (crosses)
		fxt_note(&w->c->unheld, "ends of slices that overlap another one but are not within it", 1);
}
