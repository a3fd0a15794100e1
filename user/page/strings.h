/* SPDX-License-Identifier: GPL-2.0-only */
/* The page's strings by number: names that repeat, up to a limit. */
#ifndef FXT_PAGE_STRINGS_H
#define FXT_PAGE_STRINGS_H

#include "codec/record.h"
#include "store/map.h"
#include "util/buffer.h"

#define FXT_PAGE_STRINGS_MAX		0xffffu
#define FXT_PAGE_STRINGS_BYTES_MAX	((size_t)8 << 20)

/* All zero except for memory.spill of the map is empty. */
struct fxt_page_strings {
	struct fxt_map numbers;		/* by hash: the number, as an address */
	struct fxt_buffer bytes;	/* zero-terminated strings */
	__u32 count;
};

/* Returns a string's number, from 1; 0: too many strings, or no memory. */
__u32 fxt_page_string(struct fxt_page_strings *strings, const char *bytes, size_t count);

void fxt_page_strings_uninit(struct fxt_page_strings *strings);

#endif
