/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's functions by their addresses. */
#ifndef FXT_UTIL_SYMBOLS_H
#define FXT_UTIL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "util/error.h"

struct fxt_symbol {
	__u64 address;
	__u64 end;		/* of the text that it is in: the kernel's, or a module's */
	__u32 order;		/* in which the kernel lists them */
	__u32 name;		/* an offset in names */
};

/* All zero knows none. */
struct fxt_symbols {
	struct fxt_symbol *list;	/* by address */
	size_t count;
	char *names;
	size_t names_bytes;
	/* From a first to a last address: functions that sleep for others. */
	__u64 scheduler[2], locks[2];
};

/*
 * Reads them from /proc/kallsyms and /proc/modules.  0 or -errno with the error set:
 * -EPERM where the kernel keeps the addresses to itself.
 */
int fxt_symbols_read(struct fxt_symbols *symbols, struct fxt_error *error);
void fxt_symbols_free(struct fxt_symbols *symbols);

/* The name of the function that holds the address, or NULL. */
const char *fxt_symbols_name(const struct fxt_symbols *symbols, __u64 address);

/* Whether the address is the scheduler's own. */
bool fxt_symbols_in_scheduler(const struct fxt_symbols *symbols, __u64 address);
/* Whether it is that or a lock's, which sleep for others: the kernel's in_sched_functions(). */
bool fxt_symbols_sleeps(const struct fxt_symbols *symbols, __u64 address);

#endif
