/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Encodes records: the counterpart of the decoder. */
#ifndef FXT_CODEC_ENCODE_H
#define FXT_CODEC_ENCODE_H

#include "codec/record.h"

/* A growing list of words; all zero: empty. */
struct fxt_words {
	__u64 *w;
	size_t count;
	size_t room;
	bool failed;		/* allocation failed: words put since then are missing */
};

/* Appends more words, and returns their address, or NULL without memory. */
__u64 *fxt_words_more(struct fxt_words *words, size_t more);
void fxt_words_put(struct fxt_words *words, __u64 word);
void fxt_words_uninit(struct fxt_words *words);

/* Finds the reference of a text: an index of a string table, or fxt_ref_inline() of its length. */
typedef __u16 (*fxt_encode_ref)(void *arg, const struct fxt_text *text);

/*
 * Appends a record with all its fields, threads inline.  Returns 0; -ENOMEM; -E2BIG where the record would
 * be longer than the format allows, or its payload isn't complete; -EINVAL for unknown kinds, and for kinds
 * that hold nothing by themselves (provider info and section, initialization, string, thread, magic).
 */
int fxt_encode(struct fxt_words *words, const struct fxt_record *r, fxt_encode_ref ref, void *arg);

/* Finds the index of a thread in the thread table; 0: inline. */
typedef __u8 (*fxt_encode_thread)(void *arg, const struct fxt_thread_koids *thread);

/*
 * Appends a record with a table of threads for events and log records; NULL: threads inline.  Returns as fxt_encode().
 */
int fxt_encode_with(struct fxt_words *words, const struct fxt_record *r, fxt_encode_ref ref,
		    fxt_encode_thread thread, void *arg);

#endif
