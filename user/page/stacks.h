/* SPDX-License-Identifier: GPL-2.0-only */
/* Time asleep by stack, for the page's flame graph. */
#ifndef FXT_PAGE_STACKS_H
#define FXT_PAGE_STACKS_H

#include "analyze/flame.h"
#include "analyze/machine/origin.h"
#include "page/page.h"

/*
 * Writes the block "stacks": {"ns", "idle_ns", "unknown_ns", "left_out_ns", "lines": [[text, ns], ...]}, with the
 * longest lines of "fxtrec flame", sorted by text.  0 or -errno.
 */
int fxt_page_stacks_write(struct fxt_page *page, const struct fxt_flame *flame, const struct fxt_origins *origins);

#endif
