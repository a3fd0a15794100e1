/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces return addresses by names: no address of the kernel leaves the recorder. */
#ifndef FXT_DESCRIBE_STACKS_H
#define FXT_DESCRIBE_STACKS_H

#include <linux/types.h>

#include "util/error.h"
#include "util/sink.h"

struct fxt_stacks;

/* Reads the kernel's symbols.  0 or -errno with the error set. */
int fxt_stacks_open(struct fxt_stacks **stacks, struct fxt_error *error);
void fxt_stacks_close(struct fxt_stacks *stacks);

/* Starts another file, with empty string tables.  NULL is allowed. */
void fxt_stacks_file_begin(struct fxt_stacks *stacks);

/*
 * A stage before a sink.  Passes whole records of a CPU's EVENTS ring on, with those of stacks in their form in a file:
 * each stack, and each function, is a string of that CPU's table, which is put once.  0, -ENOMEM, -EBADMSG for bytes
 * that are not records, or the sink's error.
 */
struct fxt_stacks_stage {
	struct fxt_stacks *stacks;
	__u32 cpu;
	const struct fxt_sink *to;
};
int fxt_stacks_put(void *stage, const void *records, size_t bytes);

#endif
