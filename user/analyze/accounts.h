/* SPDX-License-Identifier: GPL-2.0-only */
/* What each thread did in the window, in sums: an observer of the state machine. */
#ifndef FXT_ANALYZE_ACCOUNTS_H
#define FXT_ANALYZE_ACCOUNTS_H

#include "analyze/histogram.h"
#include "analyze/machine.h"
#include "analyze/wakers.h"

struct fxt_account {
	__u64 ns[FXT_PHASES];		/* the losses in them are in UNKNOWN */
	__u64 iowait;			/* of BLOCKED */
	__u64 begin, end;		/* of its life in the window; of several: the first and the last */
	__u64 switches;			/* times that it left a CPU */
	__u64 preemptions;		/* of these, while it could run */
	__u64 wakeups;
	__u64 migrations;
	struct fxt_histogram latency;	/* from wakeup to run, of those that ended in the window */
	struct fxt_histogram preempted;	/* the same of waits after preemption */
	__u64 max_at;			/* when the longest latency ended */
	struct fxt_wakers wakers;
	__u64 threads;			/* that it is of */
	struct fxt_task *task;		/* one of these */
	struct fxt_account *next;
};

struct fxt_accounts {
	struct fxt_machine *m;
	unsigned int slot;		/* of data[] */
	struct fxt_account *first;	/* of all tasks that had ended so far */
	__u64 count;
};

void fxt_accounts_init(struct fxt_accounts *accounts, struct fxt_machine *m);

/* What happened to its task adds to an account.  0 or -ENOMEM. */
int fxt_account_interval(struct fxt_account *account, struct fxt_spill *spill, const struct fxt_interval *i);
void fxt_account_change(struct fxt_account *account, const struct fxt_change *change);
int fxt_account_wakeup(struct fxt_account *account, struct fxt_spill *spill, const struct fxt_wakeup_view *view,
		       __u64 ns);
/* Before it is read, and before it is gone. */
int fxt_account_settle(struct fxt_account *account, struct fxt_spill *spill);
void fxt_account_uninit(struct fxt_account *account, struct fxt_spill *spill);

/* Adds all of another's. */
int fxt_account_merge(struct fxt_account *account, struct fxt_spill *spill, const struct fxt_account *other);
void fxt_accounts_uninit(struct fxt_accounts *accounts);

#endif
