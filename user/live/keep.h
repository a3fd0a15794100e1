/* SPDX-License-Identifier: GPL-2.0-only */
/* The last seconds of a recording in progress, byte for byte, with the earlier records that a reader of them needs. */
#ifndef FXT_LIVE_KEEP_H
#define FXT_LIVE_KEEP_H

#include "codec/record.h"
#include "util/buffer.h"

#define FXT_KEEP_CHUNKS		11u	/* chunks of one second each; the newest is incomplete */

struct fxt_keep {
	struct fxt_buffer base;		/* strings, names and providers from before the chunks */
	struct fxt_keep_chunk {
		struct fxt_buffer all;
		struct fxt_buffer facts;	/* records of the chunk that later records depend on */
		__u64 section;			/* provider section record that the last fact is in; 0: none */
	} chunk[FXT_KEEP_CHUNKS];
	unsigned int newest;
	__u64 newest_start;		/* ns, start of the newest chunk */
	__u64 section;			/* provider section record of the current section; 0: none */
};

/* Adds a record as it is in the recording; r is NULL for a scheduling record.  ns: time of the last record. */
void fxt_keep_put(struct fxt_keep *keep, const struct fxt_record *r, const struct fxt_frame *frame, __u64 ns);

/* Writes all chunks.  Returns 0 or -errno; -ENOMEM if a part is missing for lack of memory. */
int fxt_keep_write(const struct fxt_keep *keep, int fd);
void fxt_keep_uninit(struct fxt_keep *keep);

#endif
