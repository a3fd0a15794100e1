/* SPDX-License-Identifier: GPL-2.0-only */
/* The last seconds of a recording that goes on, and what is needed to read them: as it came. */
#ifndef FXT_LIVE_KEEP_H
#define FXT_LIVE_KEEP_H

#include "codec/record.h"
#include "util/buffer.h"

#define FXT_KEEP_CHUNKS		11u	/* of a second each; the newest isn't whole */

struct fxt_keep {
	struct fxt_buffer base;		/* strings, names and providers of before */
	struct fxt_keep_chunk {
		struct fxt_buffer all;
		struct fxt_buffer facts;	/* of these, what is needed later, too */
		__u64 section;			/* that facts are in so far; 0: none */
	} chunk[FXT_KEEP_CHUNKS];
	unsigned int newest;
	__u64 newest_start;		/* ns of the newest chunk's beginning */
	__u64 section;			/* a record that the section that goes on could begin with; 0: none */
};

/* A record as it stands in the recording; r is NULL where it is of scheduling.  ns: of the last one. */
void fxt_keep_put(struct fxt_keep *keep, const struct fxt_record *r, const struct fxt_frame *frame, __u64 ns);

/* Writes all of it.  0 or -errno; -ENOMEM where it isn't whole. */
int fxt_keep_write(const struct fxt_keep *keep, int fd);
void fxt_keep_uninit(struct fxt_keep *keep);

#endif
