/* SPDX-License-Identifier: GPL-2.0-only */
/* The page's first part: the JSON of report and blame, and further JSON of the page. */
#ifndef FXT_PAGE_MATTERS_H
#define FXT_PAGE_MATTERS_H

#include "analyze/accounts.h"
#include "analyze/blame/blame.h"
#include "analyze/flame.h"
#include "analyze/loads.h"
#include "analyze/machine/origin.h"
#include "analyze/reasons.h"
#include "analyze/blame/waits.h"
#include "page/heat.h"
#include "page/page.h"

#define FXT_PAGE_THREADS	500u	/* threads that are listed */
#define FXT_PAGE_GROUPS		100u	/* groups that are listed, by process, name and control group */
#define FXT_PAGE_VICTIMS	100u	/* threads that waited most */
#define FXT_PAGE_GROUP_VICTIMS	40u	/* groups that waited most */
#define FXT_PAGE_CULPRITS	8u	/* culprits of each thread or group */
#define FXT_PAGE_LOCKS		100u	/* locks that threads waited for longest */

struct fxt_page_matters {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	const struct fxt_origins *origins;	/* origins with only that machine */
	bool events;		/* the timeline has events of programs */
	struct fxt_accounts accounts;
	struct fxt_loads loads;
	struct fxt_blame blame;
	struct fxt_suspects suspects;
	struct fxt_waits waits;
	struct fxt_wait worst[FXT_WAITS_WORST];
	struct fxt_flame flame;
	struct fxt_reasons locks;
	struct fxt_page_heat heat;
};

/* Starts observing the machine, before the pass.  0 or -errno; to be uninitialized in both cases. */
int fxt_page_matters_init(struct fxt_page_matters *matters, struct fxt_machine *m,
			  const struct fxt_selection *selection);

/* Writes the part after the pass; origins and events are set before.  0 or -errno; -ESRCH: no thread is chosen. */
int fxt_page_matters_write(struct fxt_page *page, struct fxt_page_matters *matters);
void fxt_page_matters_uninit(struct fxt_page_matters *matters);

#endif
