/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Encodes records: the decoder's other half. */
#ifndef FXT_CODEC_ENCODE_H
#define FXT_CODEC_ENCODE_H

#include "codec/record.h"

/* Words that grow; all zero is empty. */
struct fxt_words {
	__u64 *w;
	size_t count;
	size_t room;
	bool failed;		/* no memory: what was put after that is missing */
};

/* Room for more words behind those there are, or NULL without memory. */
__u64 *fxt_words_more(struct fxt_words *words, size_t more);
void fxt_words_put(struct fxt_words *words, __u64 word);
void fxt_words_uninit(struct fxt_words *words);

/*
 * Finds the reference of a text: an index of a string table, or
 * fxt_ref_inline() of its length.
 */
typedef __u16 (*fxt_encode_ref)(void *arg, const struct fxt_text *text);

/*
 * Appends a record with all its fields, threads inline.  0; -ENOMEM; -E2BIG
 * where it would be longer than a record can be, or its payload isn't whole;
 * -EINVAL for kinds that hold nothing by themselves (provider info and section,
 * initialization, string, thread, magic) and unknown ones.
 */
int fxt_encode(struct fxt_words *words, const struct fxt_record *r, fxt_encode_ref ref, void *arg);

/* The index of a thread in the thread table, or 0: it is inline. */
typedef __u8 (*fxt_encode_thread)(void *arg, const struct fxt_thread_koids *thread);

/* The same with a table of threads, for events and log records; NULL: they are inline. */
int fxt_encode_with(struct fxt_words *words, const struct fxt_record *r, fxt_encode_ref ref,
		    fxt_encode_thread thread, void *arg);

#endif
