/* SPDX-License-Identifier: GPL-2.0-only */
/* The newest name of each thread, and its control group. */
#ifndef FXT_DESCRIBE_NAMES_H
#define FXT_DESCRIBE_NAMES_H

#include <stddef.h>
#include <stdio.h>

#include "fxt/thread.h"
#include "source/idle.h"
#include "util/sink.h"

#define FXT_TID_MAX	(1u << 22)	/* PID_MAX_LIMIT */
#define FXT_NAMES_LEAF	1024u

struct fxt_name_entry {
	__u64 valid_from;	/* ticks */
	__u64 cgroup_id;	/* 0: not known */
	__u32 tgid;
	__u32 round;		/* of the last listing, or name */
	__u32 mark;		/* behind which it was learned */
	__u8 named;
	__u8 overtaken;		/* an older name was drained after it */
	__u8 changed;		/* fxt_names_changed() has it yet */
	__u8 rest_s;		/* after .given, for which fxt_names_changed() has it no more */
	__u32 given;		/* second, when fxt_names_changed() had it last */
	__u8 kept;		/* of this second's, in a flight recorder's log (flight/thin.h) */
	__u32 second;
	struct fxt_thread_name name;
};

/* All zero is empty. */
struct fxt_names {
	struct fxt_name_entry *leaves[FXT_TID_MAX / FXT_NAMES_LEAF];
	__u64 threads;		/* that were named, in all */
	__u64 held;		/* of these, entries that are here */
	__u64 left;		/* entries that were left when they were last pruned */
	__u32 round;		/* by fxt_names_round(), so far */
	__u32 mark;		/* by fxt_names_mark(), so far */
	/* Processes that have a new name, each once. */
	__u32 *changed;
	size_t changed_count, changed_room;
	size_t changed_looked;	/* of these, which rest */
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

/* Learns the records of a listing: a name that is known already keeps the time from which it is valid. */
int fxt_names_list(struct fxt_names *names, const void *records, size_t bytes);

/*
 * Begins a round: threads that are named or listed from now on are of it.  fxt_names_prune()
 * forgets those that are neither of this round nor of the one before.
 */
void fxt_names_round(struct fxt_names *names);
void fxt_names_prune(struct fxt_names *names);

/* Puts the names of all threads.  -errno. */
int fxt_names_put_all(const struct fxt_names *names, const struct fxt_sink *to, struct fxt_idle *idle);

/* Names that are learned from the one on are put by the other.  -errno. */
void fxt_names_mark(struct fxt_names *names);
int fxt_names_put_learned(const struct fxt_names *names, const struct fxt_sink *to);

/*
 * The next process that has a new name since it was last asked for here; 0: there is none.  One that has new names again
 * and again rests ever longer, up to FXT_NAMES_REST_S, until it has had none for eight rests; second: by any clock,
 * FXT_NAMES_ALL: without rest.
 */
#define FXT_NAMES_REST_S	64u
#define FXT_NAMES_ALL		(~0u)
__u32 fxt_names_changed(struct fxt_names *names, __u32 second);

/* A process that was given there has ended: another one with its id doesn't rest. */
void fxt_names_ended(struct fxt_names *names, __u32 pid);

/* Puts the names of a thread and of its process's first thread; nothing for an unknown one.  -errno. */
int fxt_names_put_one(const struct fxt_names *names, __u32 tid, const struct fxt_sink *to);

/* Whether it was listed or named in this round. */
int fxt_names_listed(const struct fxt_names *names, __u32 tid);

/* The entry of a thread, or NULL. */
struct fxt_name_entry *fxt_names_entry(const struct fxt_names *names, __u32 tid);
static inline const struct fxt_name_entry *fxt_names_get(const struct fxt_names *names, __u32 tid)
{
	return fxt_names_entry(names, tid);
}

/* The next thread's kernel object record that fxt_thread_describe() wrote, or NULL. */
const __u64 *fxt_names_find(const __u64 *w, const __u64 *end);

#endif
