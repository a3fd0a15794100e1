/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sleeps of threads in sums: the state, the kernel's function where the recording has it, and what ended them.  An observer
 * of the state machine.
 */
#ifndef FXT_ANALYZE_SLEEPS_H
#define FXT_ANALYZE_SLEEPS_H

#include "analyze/machine/machine.h"
#include "analyze/report.h"

/* Identifier, name. */
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

/* A sleep that isn't over, or nothing tells what ended it: beside the contexts of a waker. */
#define FXT_SLEEP_OPEN	((unsigned int)~0)

/* A sum of sleeps. */
struct fxt_sleep {
	const void *key[5];		/* all that they have in common */
	const struct fxt_task *task;	/* one of the sleepers */
	const char *name;		/* of their group; NULL: not known */
	enum fxt_sleep_state state;
	const char *function;		/* of the kernel, or a stack's innermost one; NULL: not known */
	unsigned int context;		/* an enum fxt_waker_context, or FXT_SLEEP_OPEN */
	const struct fxt_task *waker;	/* FXT_CONTEXT_TASK: one of the threads that ended them; NULL: an idle CPU did */
	const char *waker_name;
	__u64 count, ns, longest;
	__u64 longest_at;		/* ns: the begin of the longest one */
	struct fxt_sleep *next;		/* the sum that was made after this one */
};

/* Sums by their keys, and in the order of their first sleeps: addresses and hashes differ from run to run. */
struct fxt_sleep_sums {
	struct fxt_map map;		/* of struct fxt_sleep */
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

/* The sums of all machines, by what threads have in common. */
struct fxt_sleep_rows {
	enum fxt_report_by by;
	struct fxt_sleep_sums sums;
	struct fxt_sleep_row {
		struct fxt_sleep *sum;
		__u64 order, key;	/* descending by order, then ascending by a sleeper's key */
		size_t number;		/* of the row in the order of first sleeps, which decides between equal keys */
	} *rows;			/* the greatest first */
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

extern const char *const fxt_sleep_column_names[];	/* NULL is the last */

/* Sums the sleeps of so many machines, after their end, and sorts the sums.  0 or -ENOMEM; uninit in both cases. */
int fxt_sleep_rows_init(struct fxt_sleep_rows *rows, struct fxt_sleeps *sleeps, __u32 count, enum fxt_report_by by,
			enum fxt_sleep_column sort);
void fxt_sleep_rows_uninit(struct fxt_sleep_rows *rows);

#endif
