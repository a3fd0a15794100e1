/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of one size, by number, in a file without a name; the last ones read stay in memory. */
#ifndef FXT_STORE_TAPE_H
#define FXT_STORE_TAPE_H

#include "store/temporary.h"

#define FXT_TAPE_BLOCKS		128u	/* in memory, beside the one that is written */
#define FXT_TAPE_BLOCK_BYTES	((size_t)32 << 10)

struct fxt_tape {
	size_t size;		/* of a record */
	size_t per_block;
	__u64 count;
	char *tail;		/* the block that is written */
	struct fxt_tape_block {
		__u64 number;	/* and one; 0: none */
		char *bytes;
	} blocks[FXT_TAPE_BLOCKS];
	int fd;			/* -1: all is in the tail so far */
	struct fxt_spool *spool;	/* what the file counts for; NULL: it has no limit */
};

void fxt_tape_init(struct fxt_tape *tape, size_t size, struct fxt_spool *spool);
void fxt_tape_uninit(struct fxt_tape *tape);

/* Appends a record; its number is the count before.  0 or -errno. */
int fxt_tape_put(struct fxt_tape *tape, const void *record);

/* Makes it empty.  0 or -errno. */
int fxt_tape_clear(struct fxt_tape *tape);

/* A record of a number below count, until another one is put or read.  NULL, and -errno in *err. */
const void *fxt_tape_at(struct fxt_tape *tape, __u64 number, int *err);

/* Copies a record of a number below count.  0 or -errno. */
int fxt_tape_get(struct fxt_tape *tape, __u64 number, void *record);

#endif
