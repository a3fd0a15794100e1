/* SPDX-License-Identifier: GPL-2.0-only */
/* The page's first part: what report and blame say, as their own JSON, and what only the page has. */
#ifndef FXT_PAGE_MATTERS_H
#define FXT_PAGE_MATTERS_H

#include "analyze/accounts.h"
#include "analyze/blame/blame.h"
#include "analyze/flame.h"
#include "analyze/loads.h"
#include "analyze/machine/origin.h"
#include "analyze/blame/waits.h"
#include "page/heat.h"
#include "page/page.h"

#define FXT_PAGE_THREADS	500u	/* threads that are listed */
#define FXT_PAGE_GROUPS		100u	/* and groups of these, by process, name and control group */
#define FXT_PAGE_VICTIMS	100u	/* and those that waited most, */
#define FXT_PAGE_GROUP_VICTIMS	40u	/* and groups that did */
#define FXT_PAGE_CULPRITS	8u	/* each with so many of what it waited for */

struct fxt_page_matters {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	const struct fxt_origins *origins;	/* of that machine alone */
	bool events;		/* the timeline has events of programs */
	struct fxt_accounts accounts;
	struct fxt_loads loads;
	struct fxt_blame blame;
	struct fxt_suspects suspects;
	struct fxt_waits waits;
	struct fxt_wait worst[FXT_WAITS_WORST];
	struct fxt_flame flame;
	struct fxt_page_heat heat;
};

/* Before the pass: observes the machine.  0 or -errno; uninit in both cases. */
int fxt_page_matters_init(struct fxt_page_matters *matters, struct fxt_machine *m,
			  const struct fxt_selection *selection);

/* After the pass; origins and events are set before.  0 or -errno; -ESRCH: no thread is chosen. */
int fxt_page_matters_write(struct fxt_page *page, struct fxt_page_matters *matters);
void fxt_page_matters_uninit(struct fxt_page_matters *matters);

#endif
