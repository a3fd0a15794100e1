/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page that shows a trace: one HTML file that asks the network for nothing.  Its head, data in
 * inert blocks, and the scripts, which are behind all data.  Documentation/page.rst has the layout.
 */
#ifndef FXT_PAGE_PAGE_H
#define FXT_PAGE_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#include "convert/out.h"
#include "util/json_writer.h"

/* By default: what a browser opens without trouble.  One text of Chromium's is at most 512 MiB. */
#define FXT_PAGE_BYTES_MAX	((__u64)256 << 20)

struct fxt_page {
	struct fxt_out *out;	/* the caller's */
	FILE *json;		/* of the block that is open; NULL: none is */
	__u64 bytes, bytes_max;	/* so far, and at most */
	int err;		/* the first that failed; -EFBIG: beyond bytes_max */
};

/* Bytes of a page without any data. */
size_t fxt_page_least(void);

/* Writes the head.  0 or -errno, as all; after one that failed all do. */
int fxt_page_begin(struct fxt_page *page, struct fxt_out *out, __u64 bytes_max);

/* Writes the scripts and the end.  Once it is 0 the page is whole. */
int fxt_page_end(struct fxt_page *page);

/*
 * A block of data: an element "script" of a type that no browser runs, with an id of letters, digits and
 * dashes.  One at a time; any number from begin to end, in any order, also during the pass over the trace.
 *
 * Bytes, as Base64; in JavaScript: pageBytes(id).
 */
int fxt_page_bytes(struct fxt_page *page, const char *id, const void *bytes, size_t count);

/*
 * JSON: what is printed to the stream; "<" becomes an escape, as it may only be in strings.  In JavaScript:
 * pageJson(id).  NULL: -errno is in page->err.  close ends the block and returns as the others.
 */
FILE *fxt_page_json_open(struct fxt_page *page, const char *id);
int fxt_page_json_close(struct fxt_page *page);

/* The same of what a writer holds, which it frees. */
int fxt_page_json(struct fxt_page *page, const char *id, struct fxt_json_writer *w);

#endif
