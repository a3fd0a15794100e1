/* SPDX-License-Identifier: GPL-2.0-only */
/* The page's strings, by number: names that repeat, within bounds. */
#ifndef FXT_PAGE_STRINGS_H
#define FXT_PAGE_STRINGS_H

#include "codec/record.h"
#include "store/map.h"
#include "util/buffer.h"

#define FXT_PAGE_STRINGS_MAX		0xffffu
#define FXT_PAGE_STRINGS_BYTES_MAX	((size_t)8 << 20)

/* All zero but for memory.spill of the map is empty. */
struct fxt_page_strings {
	struct fxt_map numbers;		/* by their hash: the number, as an address */
	struct fxt_buffer bytes;	/* each ends with a zero */
	__u32 count;
};

/* Its number, from 1; 0: there are too many, or no memory. */
__u32 fxt_page_string(struct fxt_page_strings *strings, const char *bytes, size_t count);

void fxt_page_strings_uninit(struct fxt_page_strings *strings);

#endif
