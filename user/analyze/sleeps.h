/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums the sleeps of threads by state, the kernel's function if the recording has it, and
 * waker.  An observer of the state machine.
 */
#ifndef FXT_ANALYZE_SLEEPS_H
#define FXT_ANALYZE_SLEEPS_H

#include "analyze/machine/machine.h"
#include "analyze/report.h"

/* States of sleeps: identifier, name. */
#define FXT_SLEEP_STATES(ROW)	\
	ROW(SLEEP, "sleep")	\
	ROW(BLOCKED, "blocked")	\
	ROW(IOWAIT, "io")	\
	ROW(STOPPED, "stopped")

#define FXT_SLEEP_STATE_ENUM(id, name)	FXT_SLEEP_##id,
enum fxt_sleep_state {
	FXT_SLEEP_STATES(FXT_SLEEP_STATE_ENUM)
};

extern const char *const fxt_sleep_state_names[];

/* Context, in addition to those of wakers, of a sleep that isn't over, or has no known waker. */
#define FXT_SLEEP_OPEN	((unsigned int)~0)

/* A sum of sleeps. */
struct fxt_sleep {
	const void *key[5];		/* properties that the sleeps share */
	const struct fxt_task *task;	/* a sleeper */
	const char *name;		/* name of the sleepers' group; NULL: not known */
	enum fxt_sleep_state state;
	const char *function;		/* kernel function, or the innermost one of a stack; NULL: not known */
	unsigned int context;		/* enum fxt_waker_context, or FXT_SLEEP_OPEN */
	const struct fxt_task *waker;	/* FXT_CONTEXT_TASK: a waker; NULL: an idle CPU */
	const char *waker_name;
	__u64 count, ns, longest;
	__u64 longest_at;		/* ns, start of the longest sleep */
	struct fxt_sleep *next;		/* sum that was added after this one */
};

/* Sums by their keys, and in the order of their first sleeps, since addresses and hashes differ in each run. */
struct fxt_sleep_sums {
	struct fxt_map map;		/* struct fxt_sleep by hash of its key */
	struct fxt_sleep *first, *last;
};

struct fxt_sleeps {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	struct fxt_sleep_sums sums;
	unsigned int slot;
};

void fxt_sleeps_init(struct fxt_sleeps *sleeps, struct fxt_machine *m, const struct fxt_selection *selection);
void fxt_sleeps_uninit(struct fxt_sleeps *sleeps);

/* The sums of all machines, by groups of threads. */
struct fxt_sleep_rows {
	enum fxt_report_by by;
	struct fxt_sleep_sums sums;
	struct fxt_sleep_row {
		struct fxt_sleep *sum;
		__u64 order, key;	/* sort keys: descending by order, then ascending by a sleeper's key */
		size_t number;		/* row's number in the order of first sleeps, for equal keys */
	} *rows;			/* sorted, the greatest first */
	size_t count;
	__u64 ns;
};

#define FXT_SLEEP_COLUMNS(ROW)			\
	ROW(ASLEEP, "asleep", s->ns)		\
	ROW(LONGEST, "longest", s->longest)	\
	ROW(TIMES, "times", s->count)

#define FXT_SLEEP_COLUMN_ENUM(id, name, value)	FXT_SLEEP_BY_##id,
enum fxt_sleep_column {
	FXT_SLEEP_COLUMNS(FXT_SLEEP_COLUMN_ENUM)
};

extern const char *const fxt_sleep_column_names[];	/* ended by NULL */

/*
 * Sums the sleeps of count machines, after their end, and sorts the sums.  Returns 0 or
 * -ENOMEM; the caller calls uninit in both cases.
 */
int fxt_sleep_rows_init(struct fxt_sleep_rows *rows, struct fxt_sleeps *sleeps, __u32 count, enum fxt_report_by by,
			enum fxt_sleep_column sort);
void fxt_sleep_rows_uninit(struct fxt_sleep_rows *rows);

#endif
