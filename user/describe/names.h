/* SPDX-License-Identifier: GPL-2.0-only */
/* Which threads have been named, and the newest name of each. */
#ifndef FXT_DESCRIBE_NAMES_H
#define FXT_DESCRIBE_NAMES_H

#include <stddef.h>
#include <stdio.h>

#include "fxt/thread.h"
#include "util/sink.h"

#define FXT_TID_MAX	(1u << 22)	/* PID_MAX_LIMIT */
#define FXT_NAMES_LEAF	1024u

struct fxt_name_entry {
	__u64 since;
	__u32 tgid;
	__u32 round;		/* in which it was listed or named last */
	__u16 named;
	__u16 overtaken;	/* an older name was the last to be drained */
	struct fxt_thread_name name;
};

/* All zero is empty. */
struct fxt_names {
	struct fxt_name_entry *leaves[FXT_TID_MAX / FXT_NAMES_LEAF];
	__u64 threads;
	__u32 round;		/* listings so far */
};

void fxt_names_uninit(struct fxt_names *names);

/*
 * A stage before a sink.  It hands on whole records, and learns the names in them: kernel
 * object records of threads.  CPUs are drained one after the other, so an older name may
 * come behind a newer one, and readers go by the last: records that repeat the newer one
 * follow.  0, -ENOMEM, or what the sink fails with.
 */
struct fxt_names_stage {
	struct fxt_names *names;
	const struct fxt_sink *to;
};
int fxt_names_put(void *stage, const void *records, size_t bytes);

/*
 * A listing of all who live begins a round; what it lists is taken in by
 * fxt_names_list(), where a thread whose name is known keeps the time since when.
 */
void fxt_names_round(struct fxt_names *names);
int fxt_names_list(struct fxt_names *names, const void *records, size_t bytes);

/* Writes the records of all who lived in this round or the one before. */
void fxt_names_write(const struct fxt_names *names, FILE *records);

/* Writes those of one thread, and of its process's first thread; nothing for an unknown one. */
void fxt_names_write_one(const struct fxt_names *names, __u32 tid, FILE *records);

/* Whether this round has listed it. */
int fxt_names_listed(const struct fxt_names *names, __u32 tid);

/* What is known of a thread, or NULL. */
const struct fxt_name_entry *fxt_names_get(const struct fxt_names *names, __u32 tid);

#endif
