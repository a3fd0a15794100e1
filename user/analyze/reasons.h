/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the sleeps of threads by reason, or by the lock that they wait for: an observer of the state machine. */
#ifndef FXT_ANALYZE_REASONS_H
#define FXT_ANALYZE_REASONS_H

#include "analyze/machine/machine.h"
#include "analyze/report.h"
#include "analyze/selection.h"
#include "analyze/statistics/histogram.h"
#include "analyze/wakers.h"

/* The properties that the sleeps of a sum share. */
struct fxt_reason_key {
	const void *scope;	/* process of a private futex, else the text of a process's name; NULL: any process */
	__u64 object, offset;	/* of a futex in memory that processes share: inode, and position in the file */
	__u32 device;
	__u32 kind;		/* enum fxt_object_kind */
	__u32 call;		/* bits of FXT_REASON_ENTRY and FXT_REASON_CALL; 0: any, or not known */
	__u32 wait;		/* enum fxt_wait_class */
};

/* A sum of sleeps. */
struct fxt_reason_sum {
	struct fxt_reason_key key;
	const char *name;		/* name of the processes, or of the thread if its process isn't known; NULL: any */
	const struct fxt_process *process;	/* process of all sleeps; NULL: several processes, or not known */
	struct fxt_sleep_reason reason;	/* reason of one of the sleeps */
	__u64 count, ns, longest;
	__u64 longest_at;		/* ns, start of the longest sleep */
	const struct fxt_task *longest_of;	/* thread of the longest sleep */
	struct fxt_histogram waits;	/* ns of sleeps that ended in the window */
	struct fxt_wakers holders;	/* ns of the sleeps by the holder at their start, as far as it is known */
	__u64 waiters, waiters_max;	/* threads that sleep at once, selected or not */
	__u64 handoffs;			/* wakeups by the holder of that moment */
	const struct fxt_task *holder;	/* last known holder while a thread waits; NULL: none */
	size_t number;			/* sum's number in the order of first sleeps */
};

struct fxt_reasons {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	enum fxt_report_by by;		/* FXT_BY_REASON or FXT_BY_LOCK */
	struct fxt_map sums;		/* struct fxt_reason_sum by key, of all time that no lap has */
	struct fxt_map *present;	/* sums that present sleeps refer to: those of the newest lap, else sums */
	struct fxt_map *shown;		/* sums that rows show: those of the shown lap, else sums */
	unsigned int slot;		/* index in data[] */
	struct fxt_reason_sleep *free_sleeps;	/* memory of dead threads' sleeps */
};

void fxt_reasons_init(struct fxt_reasons *reasons, struct fxt_machine *m, const struct fxt_selection *selection,
		      enum fxt_report_by by);
void fxt_reasons_uninit(struct fxt_reasons *reasons);

/* Starts a lap: sleeps from now on, and those that continue, refer to its sums.  Returns 0 or -ENOMEM. */
int fxt_reasons_turn(struct fxt_reasons *reasons, struct fxt_map *sums);

/* Adds an interval, cut to the window of the sums.  Returns 0 or -ENOMEM. */
int fxt_reasons_add(struct fxt_reasons *reasons, struct fxt_map *sums, const struct fxt_interval *interval);

/* Forgets holders that died before ns: their memory may become another task's. */
void fxt_reasons_forget(struct fxt_reasons *reasons, __u64 ns);

/* Frees the sums of a lap. */
void fxt_reason_sums_uninit(struct fxt_map *sums);

/* The sums of all machines, sorted: the greatest of each rank first. */
struct fxt_reason_rows {
	struct fxt_reason_row {
		const struct fxt_reason_sum *sum;
		const struct fxt_machine *m;
		__u64 ns;
		unsigned int rank;	/* the least comes first */
	} *rows;
	size_t count;
};

/*
 * Collects the sums of count machines, after their end or that of the shown lap.  Returns 0 or -ENOMEM; the caller calls uninit in both cases.
 */
int fxt_reason_rows_init(struct fxt_reason_rows *rows, struct fxt_reasons *reasons, __u32 count);
void fxt_reason_rows_uninit(struct fxt_reason_rows *rows);

/* Figures that a sum gives by calculation. */
struct fxt_reason_figures {
	__u64 p50, p99;		/* ns; 0: no sleep ended in the window */
	__u64 held;		/* ns with a known holder */
	struct fxt_waker_count *holders;	/* the greatest first; NULL: none */
};

/* Calculates the figures of a sum in rows.  Returns 0 or -ENOMEM; the caller calls uninit in both cases. */
int fxt_reason_figures_init(struct fxt_reason_figures *figures, const struct fxt_reason_sum *sum);
void fxt_reason_figures_uninit(struct fxt_reason_figures *figures);

#endif
