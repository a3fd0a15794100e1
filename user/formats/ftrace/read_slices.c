// SPDX-License-Identifier: GPL-2.0-only
/* Slices of ftrace's text that are open on a thread: only their ends say what they are. */
#include <errno.h>
#include <string.h>

#include "formats/ftrace/read.h"

#define SLICES_TASK_MAX	4096u

static void slice_free(struct fxt_ftrace_parser *p, struct fxt_ftrace_slice *b)
{
	fxt_spill_free(p->tasks.memory.spill, b->name, b->bytes + b->more + 1);
}

static int slice_put(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t,
		     const struct fxt_ftrace_slice *b)
{
	struct fxt_span category = fxt_span(b->name + b->bytes, b->more), args;

	args = fxt_span_part(&category, '|');
	fxt_build_event(&p->r, FXT_EVENT_DURATION_BEGIN, b->ns, fxt_ftrace_process_of(t), t->tid,
			fxt_span_text(category), fxt_build_text(b->name, b->bytes));
	fxt_ftrace_args_add(&p->r, args, ';', true);
	return fxt_ftrace_put_at(p, b->ns, b->provider);
}

int fxt_ftrace_slices_flush(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < t->slice_count; i++) {
		if (!err)
			err = slice_put(p, t, &t->slices[i]);
		slice_free(p, &t->slices[i]);
	}
	t->slice_count = 0;
	return err;
}

static size_t slices_bytes(const struct fxt_ftrace_task *t)
{
	return t->slice_room * sizeof(*t->slices);
}

static int grow(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	size_t room = t->slice_room ? 2 * t->slice_room : 4;
	struct fxt_ftrace_slice *slices;

	if (t->slice_count < t->slice_room)
		return 0;
	slices = fxt_spill_alloc(p->tasks.memory.spill, room * sizeof(*slices));
	if (!slices)
		return -ENOMEM;
	if (t->slices)
		memcpy(slices, t->slices, slices_bytes(t));
	fxt_spill_free(p->tasks.memory.spill, t->slices, slices_bytes(t));
	t->slices = slices;
	t->slice_room = room;
	return 0;
}

int fxt_ftrace_slice_open(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, int provider)
{
	struct fxt_ftrace_slice b = { .ns = p->r.ticks, .provider = provider,
				      .bytes = p->r.name.length, .more = p->begin_bytes };

	if (t->slice_count == SLICES_TASK_MAX) {
		struct fxt_record r = p->r;
		int err = fxt_ftrace_slices_flush(p, t);

		if (err)
			return err;
		p->r = r;
	}
	p->begin_bytes = 0;
	b.name = fxt_spill_alloc(p->tasks.memory.spill, b.bytes + b.more + 1);
	if (!b.name || grow(p, t)) {
		slice_free(p, &b);
		return -ENOMEM;
	}
	memcpy(b.name, p->r.name.bytes, b.bytes);
	memcpy(b.name + b.bytes, p->begin, b.more);
	t->slices[t->slice_count++] = b;
	return 0;
}

static void slice_remove(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, unsigned int i)
{
	slice_free(p, &t->slices[i]);
	t->slice_count--;
	memmove(&t->slices[i], &t->slices[i + 1], (t->slice_count - i) * sizeof(*t->slices));
}

/* The one that p->r ends: the innermost of its name, as others may overlap it; of none, the innermost. */
static unsigned int slice_ended(const struct fxt_ftrace_parser *p, const struct fxt_ftrace_task *t)
{
	unsigned int i;

	for (i = t->slice_count; i--;) {
		const struct fxt_ftrace_slice *b = &t->slices[i];

		if (b->bytes == p->r.name.length && !memcmp(b->name, p->r.name.bytes, b->bytes))
			return i;
	}
	return t->slice_count - 1;
}

void fxt_ftrace_slice_drop(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	if (t->slice_count)
		slice_remove(p, t, t->slice_count - 1);
}

int fxt_ftrace_slice_begin(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	struct fxt_record r;
	unsigned int i;
	int err;

	if (!t->slice_count)
		return 0;
	r = p->r;
	i = slice_ended(p, t);
	/* Records of one time come in the order that they are put in: outer ones first. */
	if (i && t->slices[i - 1].ns == t->slices[i].ns) {
		err = fxt_ftrace_slices_flush(p, t);
	} else {
		err = slice_put(p, t, &t->slices[i]);
		slice_remove(p, t, i);
	}
	p->r = r;
	return err;
}

int fxt_ftrace_slice_close(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t,
			   struct fxt_span phase)
{
	struct fxt_ftrace_slice *b;
	unsigned int i;
	int err;

	if (!t->slice_count)
		return 1;
	i = slice_ended(p, t);
	b = &t->slices[i];
	p->r.event.type = fxt_span_is(phase, "instant") ? FXT_EVENT_INSTANT :
							  FXT_EVENT_DURATION_COMPLETE;
	p->r.event.end = p->r.ticks;
	p->r.ticks = b->ns;
	p->r.name = fxt_build_text(b->name, b->bytes);
	err = fxt_ftrace_put_at(p, b->ns, b->provider);
	slice_remove(p, t, i);
	return err;
}

void fxt_ftrace_slices_free(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	while (t->slice_count)
		slice_free(p, &t->slices[--t->slice_count]);
	fxt_spill_free(p->tasks.memory.spill, t->slices, slices_bytes(t));
}
