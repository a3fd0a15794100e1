// SPDX-License-Identifier: GPL-2.0-only
/* The page's timeline: what a pass over the trace leaves, as blocks of the page. */
#include "page/timeline.h"

static const struct fxt_observer_ops ops = { 0 };

int fxt_page_timeline_init(struct fxt_page_timeline *t, struct fxt_page *page, struct fxt_machine *m,
			   const struct fxt_selection *selection)
{
	*t = (struct fxt_page_timeline){ .page = page, .m = m, .selection = selection };
	t->slot = fxt_machine_observe(m, &ops, t);
	return 0;
}

int fxt_page_timeline_write(struct fxt_page *page, struct fxt_page_timeline *t)
{
	(void)t;
	return page->err;
}

void fxt_page_timeline_uninit(struct fxt_page_timeline *t)
{
	(void)t;
}
