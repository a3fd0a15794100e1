/* SPDX-License-Identifier: GPL-2.0-only */
/* The explanation in a page, which another process makes at the same time. */
#ifndef FXT_CMD_PAGE_EXPLAIN_H
#define FXT_CMD_PAGE_EXPLAIN_H

#include <sys/types.h>

#include "cmd/analyze.h"
#include "page/page.h"

struct page_explain {
	pid_t pid;		/* 0: no process */
	int fd;			/* its JSON */
};

/* Prints the explanation of that choice as JSON, on standard output (cmd/explain.c).  Returns an enum fxt_exit. */
int cmd_explain_json(const struct analyze_options *options);

/* Starts the process, unless the input can be read only once.  Call it before any thread starts. */
void page_explain_start(struct page_explain *explain, const struct analyze_options *options);

/* Waits for the process, and writes its JSON to the page; a page without it is complete, too.  Returns 0 or -errno. */
int page_explain_write(struct page_explain *explain, struct fxt_page *page);

/* Ends the process where it runs. */
void page_explain_end(struct page_explain *explain);

#endif
