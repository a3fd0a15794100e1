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
	__u64 cgroup_id;	/* 0: unknown */
	__u32 tgid;
	__u32 round;		/* number of the round that listed or named it last */
	__u32 mark;		/* value of fxt_names.mark when it was learned */
	__u8 named;
	__u8 overtaken;		/* an older name was drained after this one */
	__u8 changed;		/* in the list of changed processes */
	/* duration of the rest after .given, during which fxt_names_changed() doesn't return it */
	__u8 rest_s;
	__u32 given;		/* second when fxt_names_changed() returned it last */
	__u8 kept;		/* names kept in .second in a flight recorder's log (flight/thin.h) */
	__u32 second;
	struct fxt_thread_name name;
};

/* All zero is empty. */
struct fxt_names {
	struct fxt_name_entry *leaves[FXT_TID_MAX / FXT_NAMES_LEAF];
	__u64 threads;		/* number of threads that were named, in total */
	__u64 held;		/* entries that exist now */
	__u64 left;		/* entries that remained at the last pruning */
	__u32 round;		/* rounds that fxt_names_round() started so far */
	__u32 mark;		/* marks that fxt_names_mark() set so far */
	/* Processes that have a new name, each once. */
	__u32 *changed;
	size_t changed_count, changed_room;
	size_t changed_looked;	/* entries of changed that were checked, as their processes rest */
};

void fxt_names_uninit(struct fxt_names *names);

/*
 * A stage before a sink.  Passes whole records on, and learns the names in them: kernel object records of threads.
 * CPUs are drained one after the other, so an older name may come after a newer one, and readers use the last one: so
 * the stage appends records that repeat the newer name.  0, -ENOMEM, or the sink's error.
 */
struct fxt_names_stage {
	struct fxt_names *names;
	const struct fxt_sink *to;
};
int fxt_names_put(void *stage, const void *records, size_t bytes);

/* Adds the records of a listing: a name that is known already keeps its valid_from. */
int fxt_names_list(struct fxt_names *names, const void *records, size_t bytes);

/*
 * Starts a round: threads that are named or listed from now on belong to it.  fxt_names_prune() forgets threads that
 * belong neither to this round nor to the previous one.
 */
void fxt_names_round(struct fxt_names *names);
void fxt_names_prune(struct fxt_names *names);

/* Puts the names of all threads.  -errno. */
int fxt_names_put_all(const struct fxt_names *names, const struct fxt_sink *to, struct fxt_idle *idle);

/* fxt_names_put_learned() puts the names that were learned since fxt_names_mark().  -errno. */
void fxt_names_mark(struct fxt_names *names);
int fxt_names_put_learned(const struct fxt_names *names, const struct fxt_sink *to);

/*
 * Returns the next process that has a new name since the last time it was returned; 0: no process.  A process with ever
 * new names rests for longer and longer periods, up to FXT_NAMES_REST_S, until it has had no new name for eight of
 * them.  second: by any clock, FXT_NAMES_ALL: without rest.
 */
#define FXT_NAMES_REST_S	64u
#define FXT_NAMES_ALL		(~0u)
__u32 fxt_names_changed(struct fxt_names *names, __u32 second);

/* Notes that a process which fxt_names_changed() returned has ended: another process with its id doesn't rest. */
void fxt_names_ended(struct fxt_names *names, __u32 pid);

/* Puts the names of a thread and of its process's first thread; nothing for an unknown one.  -errno. */
int fxt_names_put_one(const struct fxt_names *names, __u32 tid, const struct fxt_sink *to);

/* Returns whether a thread was listed or named in this round. */
int fxt_names_listed(const struct fxt_names *names, __u32 tid);

/* Returns the entry of a thread, or NULL. */
struct fxt_name_entry *fxt_names_entry(const struct fxt_names *names, __u32 tid);
static inline const struct fxt_name_entry *fxt_names_get(const struct fxt_names *names, __u32 tid)
{
	return fxt_names_entry(names, tid);
}

/* Returns the next thread's kernel object record of fxt_thread_describe(), or NULL. */
const __u64 *fxt_names_find(const __u64 *w, const __u64 *end);

#endif
