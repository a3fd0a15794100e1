/* SPDX-License-Identifier: GPL-2.0-only */
/* The page's reasons of sleeps, by number: reasons repeat, so a row has a number, and the page has each reason once. */
#ifndef FXT_PAGE_REASONS_H
#define FXT_PAGE_REASONS_H

#include "analyze/machine/machine.h"
#include "store/map.h"
#include "util/json_writer.h"

/* Limit of the reasons with object and holder.  Beyond it, the sleeps of a call and a class have one number. */
#define FXT_PAGE_REASONS_MAX	0xffffu

/* All zero except for memory.spill of the map is empty. */
struct fxt_page_reasons {
	struct fxt_map numbers;		/* struct fxt_page_reason by its properties */
	struct fxt_page_reason *first, *last;	/* in the order of the numbers */
};

/*
 * Sets a sleeping thread's reason to its number, from 1; 0: it has no reason.  holder: the holder's key, or 0.  0 or
 * -ENOMEM.
 */
int fxt_page_reason(struct fxt_page_reasons *reasons, const struct fxt_task *task, __u64 holder, __u32 *number);

/* Writes all reasons as arrays, after the last record, once the names of objects are known; nothing if there is none. */
void fxt_page_reasons_put(const struct fxt_page_reasons *reasons, const struct fxt_machine *m,
			  struct fxt_json_writer *json);

void fxt_page_reasons_uninit(struct fxt_page_reasons *reasons);

#endif
