/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page that shows a trace: one HTML file that loads nothing from the network.  It has a head, data in inert blocks,
 * and the scripts after all data.  Documentation/page.rst has the layout.
 */
#ifndef FXT_PAGE_PAGE_H
#define FXT_PAGE_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#include "convert/out.h"
#include "util/json_writer.h"

/* The default limit, which browsers open without trouble.  A text in Chromium has at most 512 MiB. */
#define FXT_PAGE_BYTES_MAX	((__u64)256 << 20)

struct fxt_page {
	struct fxt_out *out;	/* the caller's */
	FILE *json;		/* stream of the open block; NULL: no block is open */
	__u64 bytes, bytes_max;	/* bytes written so far, and their limit */
	int err;		/* the first error; -EFBIG: beyond bytes_max */
};

/* Returns the bytes of a page without any data. */
size_t fxt_page_least(void);

/* Writes the head.  0 or -errno, as the functions below; after an error, all of them fail. */
int fxt_page_begin(struct fxt_page *page, struct fxt_out *out, __u64 bytes_max);

/* Writes the scripts and the end.  The page is complete if this returns 0. */
int fxt_page_end(struct fxt_page *page);

/*
 * Writes a block of data: an element "script" of a type that no browser runs, with an id of letters, digits and dashes.
 * Blocks don't overlap.  Their number and order are free, and the pass of the trace may go on at the same time.
 *
 * The bytes are stored as Base64; in JavaScript: pageBytes(id).
 */
int fxt_page_bytes(struct fxt_page *page, const char *id, const void *bytes, size_t count);

/*
 * Opens a block of JSON, printed to the stream; each "<" is escaped, as it may only be in strings.  In JavaScript:
 * pageJson(id).  NULL: -errno is in page->err.  fxt_page_json_close() ends the block, and returns as the functions
 * above.
 */
FILE *fxt_page_json_open(struct fxt_page *page, const char *id);
int fxt_page_json_close(struct fxt_page *page);

/* Writes a writer's text as a block of JSON, and frees the writer. */
int fxt_page_json(struct fxt_page *page, const char *id, struct fxt_json_writer *w);

#endif
