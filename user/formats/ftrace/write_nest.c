// SPDX-License-Identifier: GPL-2.0-only
/* Counts crossing slices of a thread: in ftrace's text, each end ends the innermost slice. */
#include <errno.h>

#include "formats/ftrace/write.h"

static struct fxt_crossing *nest_of(struct fxt_ftrace_writer *w, struct fxt_ftrace_thread *t)
{
	struct fxt_crossing *nest = t->nest;

	if (!nest) {
		nest = fxt_arena_alloc(&w->threads.memory, sizeof(*nest));
		t->nest = nest;
	}
	if (!nest)
		w->err = -ENOMEM;
	return nest;
}

void fxt_ftrace_nest(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_thread *t = fxt_ftrace_thread_of(w, r);
	struct fxt_crossing *nest = t ? nest_of(w, t) : NULL;

	if (nest && fxt_crossing_add(nest, r, false))
		fxt_note(&w->c->unheld, "ends of slices that overlap another one but are not within it", 1);
}
