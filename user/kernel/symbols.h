/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the kernel's functions by their addresses. */
#ifndef FXT_UTIL_SYMBOLS_H
#define FXT_UTIL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "util/error.h"

struct fxt_symbol {
	__u64 address;
	__u64 end;		/* end of the text that holds the symbol: the kernel's, or a module's */
	__u32 order;		/* position in the kernel's list */
	__u32 name;		/* offset in names */
};

/* All zero has no symbols. */
struct fxt_symbols {
	struct fxt_symbol *list;	/* sorted by address */
	size_t count;
	char *names;
	size_t names_bytes;
	/* First and last address of functions that sleep for their callers. */
	__u64 scheduler[2], locks[2];
};

/*
 * Reads the symbols from /proc/kallsyms and /proc/modules.  0 or -errno with the error set: -EPERM where the kernel
 * hides the addresses.
 */
int fxt_symbols_read(struct fxt_symbols *symbols, struct fxt_error *error);
void fxt_symbols_free(struct fxt_symbols *symbols);

/* Returns the name of the function that holds the address, or NULL. */
const char *fxt_symbols_name(const struct fxt_symbols *symbols, __u64 address);

/* Returns whether the address is in the scheduler. */
bool fxt_symbols_in_scheduler(const struct fxt_symbols *symbols, __u64 address);
/*
 * Returns whether the address is in the scheduler or in a lock, which sleep for their callers: the kernel's
 * in_sched_functions().
 */
bool fxt_symbols_sleeps(const struct fxt_symbols *symbols, __u64 address);

#endif
