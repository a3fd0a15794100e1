// SPDX-License-Identifier: GPL-2.0-only
/*
 * Begins of durations in text that we wrote, which wait: the line of the end says
 * whether they were complete events, or instants, or begins.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert/ftrace/read.h"

#define BEGUN_MAX	(1u << 17)	/* of all threads */
#define BEGUN_TASK_MAX	4096u

static int begun_put(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t,
		     const struct fxt_ftrace_begun *b)
{
	fxt_build_event(&p->r, FXT_EVENT_DURATION_BEGIN, b->ns, fxt_ftrace_process_of(t), t->tid,
			fxt_build_string(""), fxt_build_text(b->name, b->bytes));
	return fxt_ftrace_put_at(p, b->ns, b->provider);
}

int fxt_ftrace_begun_flush(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < t->begun_count; i++) {
		if (!err)
			err = begun_put(p, t, &t->begun[i]);
		free(t->begun[i].name);
	}
	p->begun_count -= t->begun_count;
	t->begun_count = 0;
	return err;
}

static int grow(struct fxt_ftrace_task *t)
{
	size_t room = t->begun_room ? 2 * t->begun_room : 4;
	struct fxt_ftrace_begun *begun;

	if (t->begun_count < t->begun_room)
		return 0;
	begun = realloc(t->begun, room * sizeof(*begun));
	if (!begun)
		return -ENOMEM;
	t->begun = begun;
	t->begun_room = room;
	return 0;
}

int fxt_ftrace_begun_put(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, int provider)
{
	struct fxt_ftrace_begun b = { .ns = p->r.ticks, .provider = provider,
				      .bytes = p->r.name.length };

	if (p->begun_count == BEGUN_MAX || t->begun_count == BEGUN_TASK_MAX) {
		struct fxt_record r = p->r;
		int err = fxt_ftrace_begun_flush(p, t);

		if (err || p->begun_count == BEGUN_MAX) {
			p->r = r;
			return err ? err : fxt_ftrace_put_at(p, r.ticks, provider);
		}
		p->r = r;
	}
	b.name = malloc(b.bytes + 1);
	if (!b.name || grow(t)) {
		free(b.name);
		return -ENOMEM;
	}
	memcpy(b.name, p->r.name.bytes, b.bytes);
	t->begun[t->begun_count++] = b;
	p->begun_count++;
	return 0;
}

void fxt_ftrace_begun_drop(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	if (!t->begun_count)
		return;
	free(t->begun[--t->begun_count].name);
	p->begun_count--;
}

int fxt_ftrace_begun_end(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t,
			 struct fxt_span phase)
{
	struct fxt_ftrace_begun *b;
	int err;

	if (!t->begun_count)
		return 1;
	b = &t->begun[t->begun_count - 1];
	p->r.event.type = fxt_span_is(phase, "instant") ? FXT_EVENT_INSTANT :
							  FXT_EVENT_DURATION_COMPLETE;
	p->r.event.end = p->r.ticks;
	p->r.ticks = b->ns;
	p->r.name = fxt_build_text(b->name, b->bytes);
	err = fxt_ftrace_put_at(p, b->ns, b->provider);
	fxt_ftrace_begun_drop(p, t);
	return err;
}
