/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of one size, by number, in a file without a name; the blocks read last stay in memory. */
#ifndef FXT_STORE_TAPE_H
#define FXT_STORE_TAPE_H

#include "store/temporary.h"

#define FXT_TAPE_BLOCKS		128u	/* blocks in memory, beside the tail */
#define FXT_TAPE_BLOCK_BYTES	((size_t)32 << 10)

struct fxt_tape {
	size_t size;		/* bytes of a record */
	size_t per_block;
	__u64 count;
	char *tail;		/* block that is being written */
	struct fxt_tape_block {
		__u64 number;	/* block's number plus one; 0: free */
		char *bytes;
	} blocks[FXT_TAPE_BLOCKS];
	int fd;			/* descriptor of the file; -1: all records are in the tail so far */
	struct fxt_spool *spool;	/* spool that limits the file's size; NULL: no limit */
};

void fxt_tape_init(struct fxt_tape *tape, size_t size, struct fxt_spool *spool);
void fxt_tape_uninit(struct fxt_tape *tape);

/* Appends a record, which gets the former count as its number.  Returns 0 or -errno. */
int fxt_tape_put(struct fxt_tape *tape, const void *record);

/* Removes all records.  Returns 0 or -errno. */
int fxt_tape_clear(struct fxt_tape *tape);

/*
 * Returns the record of a number below count, valid until the next put or read; NULL, and
 * -errno in *err, if that fails.
 */
const void *fxt_tape_at(struct fxt_tape *tape, __u64 number, int *err);

/* Copies the record of a number below count.  Returns 0 or -errno. */
int fxt_tape_get(struct fxt_tape *tape, __u64 number, void *record);

#endif
