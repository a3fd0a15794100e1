/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A string table that gives each text an index, up to a limit. */
#ifndef FXT_CODEC_STRINGS_H
#define FXT_CODEC_STRINGS_H

#include "codec/decoder.h"

struct fxt_strings {
	struct fxt_decoder decoder;	/* decoder with the table, as that of its implied provider */
	__u16 *slots;			/* hash table of indices */
	__u16 count;
	size_t bytes;
	size_t long_bytes;		/* bytes of long texts */
	struct fxt_string_recent {
		__u64 word[2];
		__u32 length;
		__u16 ref;
	} recent[256];
};

int fxt_strings_init(struct fxt_strings *strings);
void fxt_strings_uninit(struct fxt_strings *strings);

/*
 * Returns the reference of a text for fxt_encode(), with the table as arg: its index, or an
 * inline reference once the table is full.
 */
__u16 fxt_strings_ref(void *arg, const struct fxt_text *text);

#endif
