/* SPDX-License-Identifier: GPL-2.0-only */
/* What each thread did in the window, in sums: an observer of the state machine. */
#ifndef FXT_ANALYZE_ACCOUNTS_H
#define FXT_ANALYZE_ACCOUNTS_H

#include "analyze/machine/machine.h"
#include "analyze/statistics/histogram.h"
#include "analyze/wakers.h"

struct fxt_account {
	__u64 ns[FXT_PHASES];		/* the losses in them are in UNKNOWN */
	__u64 iowait;			/* of BLOCKED */
	__u64 throttled;		/* of both waits */
	__u64 hidden;			/* of UNKNOWN, between what is known: it may have done anything */
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

static inline int fxt_account_wait(struct fxt_account *account, struct fxt_spill *spill,
				   const struct fxt_interval *i)
{
	__u64 ns = i->end - i->begin;

	if (i->phase == FXT_PHASE_WAIT_PREEMPTED)
		return fxt_histogram_add(&account->preempted, spill, ns);
	if (!account->latency.count || ns > account->latency.max)
		account->max_at = i->end;
	return fxt_histogram_add(&account->latency, spill, ns);
}

/* What happened to its task adds to an account, unless the interval is empty.  0 or -ENOMEM. */
static inline int fxt_account_interval(struct fxt_account *account, struct fxt_spill *spill,
				       const struct fxt_interval *i)
{
	__u64 known = i->to - i->from - i->lost;

	account->ns[i->phase] += known;
	account->ns[FXT_PHASE_UNKNOWN] += i->lost;
	/* A doubt may reach back behind it. */
	account->throttled += i->throttled < known ? i->throttled : known;
	if (i->left) {
		account->switches++;
		account->preemptions += i->left->preempted || i->left->state == FXT_LINUX_R;
	}
	if (i->phase == FXT_PHASE_BLOCKED && i->task->iowait)
		account->iowait += known;
	return i->counts && fxt_phase_waits(i->phase) ? fxt_account_wait(account, spill, i) : 0;
}

static inline int fxt_account_wakeup(struct fxt_account *account, struct fxt_spill *spill,
				     const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_task *task = account->task;

	account->wakeups++;
	if (!task->waker || task->woken_ns != ns)
		return 0;
	return fxt_wakers_add(&account->wakers, spill, task->waker, view->context, 1);
}

/* Before it is read, and before it is gone. */
int fxt_account_settle(struct fxt_account *account, struct fxt_spill *spill);
void fxt_account_uninit(struct fxt_account *account, struct fxt_spill *spill);

/* Adds all of another's but for its wakers. */
int fxt_account_merge(struct fxt_account *account, struct fxt_spill *spill, const struct fxt_account *other);
void fxt_accounts_uninit(struct fxt_accounts *accounts);

#endif
