/* SPDX-License-Identifier: GPL-2.0-only */
/* Which threads have been named, and the newest name of each. */
#ifndef FXT_NAMES_H
#define FXT_NAMES_H

#include <stddef.h>
#include <stdio.h>

#include "fxt/thread.h"

#define FXT_TID_MAX	(1u << 22)	/* PID_MAX_LIMIT */
#define FXT_NAMES_LEAF	1024u

struct fxt_name_entry {
	__u64 since;
	__u32 tgid;
	__u16 named;
	__u16 overtaken;	/* an older name was the last to be drained */
	struct fxt_thread_name name;
};

/* All zero is empty. */
struct fxt_names {
	struct fxt_name_entry *leaves[FXT_TID_MAX / FXT_NAMES_LEAF];
	__u64 threads;
};

void fxt_names_uninit(struct fxt_names *names);

/*
 * Looks through bytes of whole records for kernel object records of threads.
 * CPUs are drained one after the other, so an older name may come behind a
 * newer one, and readers go by the last: the records that repeat the newer one
 * go to corrections.  0 or -ENOMEM.
 */
int fxt_names_scan(struct fxt_names *names, const void *records, size_t bytes, FILE *corrections);

int fxt_names_has(const struct fxt_names *names, __u32 tid);

#endif
