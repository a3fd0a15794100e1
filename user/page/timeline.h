/* SPDX-License-Identifier: GPL-2.0-only */
/* The page's timeline: what a pass over the trace leaves, as blocks of the page. */
#ifndef FXT_PAGE_TIMELINE_H
#define FXT_PAGE_TIMELINE_H

#include "analyze/machine.h"
#include "analyze/selection.h"
#include "page/page.h"

struct fxt_page_timeline {
	struct fxt_page *page;
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	unsigned int slot;		/* of data[] */
};

/* Before the pass: observes the machine.  It may write blocks during the pass.  0 or -errno; uninit in both cases. */
int fxt_page_timeline_init(struct fxt_page_timeline *timeline, struct fxt_page *page, struct fxt_machine *m,
			   const struct fxt_selection *selection);

/* After the pass: what is left of it.  0 or -errno; -EFBIG where the page gets too large. */
int fxt_page_timeline_write(struct fxt_page *page, struct fxt_page_timeline *timeline);
void fxt_page_timeline_uninit(struct fxt_page_timeline *timeline);

#endif
