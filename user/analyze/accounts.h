/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the phases of each thread in the window: an observer of the state machine. */
#ifndef FXT_ANALYZE_ACCOUNTS_H
#define FXT_ANALYZE_ACCOUNTS_H

#include "analyze/machine/machine.h"
#include "analyze/statistics/histogram.h"
#include "analyze/wakers.h"

struct fxt_account {
	__u64 ns[FXT_PHASES];		/* lost time of all phases is in UNKNOWN */
	__u64 off[FXT_WAITS];		/* known time of SLEEP, BLOCKED and STOPPED by class */
	__u64 iowait;			/* part of BLOCKED */
	__u64 throttled;		/* part of both waits */
	__u64 hidden;			/* part of UNKNOWN between known times: the thread may have been in any phase */
	__u64 begin, end;		/* thread's life in the window; of several threads, the first begin and the
					 * last end */
	__u64 switches;			/* number of times that the thread left a CPU */
	__u64 preemptions;		/* switches while the thread could run */
	__u64 wakeups;
	__u64 migrations;
	struct fxt_histogram latency;	/* ns from wakeup to run, of waits that ended in the window */
	struct fxt_histogram preempted;	/* ns of waits after preemption that ended in the window */
	struct fxt_histogram lock;	/* ns of waits for locks that ended in the window */
	__u64 max_at;			/* ns, end of the longest latency */
	struct fxt_wakers wakers;
	__u64 threads;			/* number of threads in the account */
	struct fxt_task *task;		/* one of the threads */
	struct fxt_account *next;
};

struct fxt_accounts {
	struct fxt_machine *m;
	unsigned int slot;		/* index in data[] */
	struct fxt_account *first;	/* accounts of all tasks that have ended */
	__u64 count;
};

void fxt_accounts_init(struct fxt_accounts *accounts, struct fxt_machine *m);

static inline int fxt_account_wait(struct fxt_account *account, struct fxt_spill *spill,
				   const struct fxt_interval *i)
{
	__u64 ns = i->end - i->begin;

	if (fxt_phase_sleeps(i->phase))
		return i->task->wait == FXT_WAIT_LOCK ? fxt_histogram_add(&account->lock, spill, ns) : 0;
	if (i->phase == FXT_PHASE_WAIT_PREEMPTED)
		return fxt_histogram_add(&account->preempted, spill, ns);
	if (!account->latency.count || ns > account->latency.max)
		account->max_at = i->end;
	return fxt_histogram_add(&account->latency, spill, ns);
}

/* Adds an interval of the account's task, unless the interval is empty.  Returns 0 or -ENOMEM. */
static inline int fxt_account_interval(struct fxt_account *account, struct fxt_spill *spill,
				       const struct fxt_interval *i)
{
	__u64 known = i->to - i->from - i->lost;

	account->ns[i->phase] += known;
	account->ns[FXT_PHASE_UNKNOWN] += i->lost;
	/* The doubt may start before the throttling. */
	account->throttled += i->throttled < known ? i->throttled : known;
	if (i->left) {
		account->switches++;
		account->preemptions += i->left->preempted || i->left->state == FXT_LINUX_R;
	}
	if (i->phase == FXT_PHASE_BLOCKED && i->task->iowait)
		account->iowait += known;
	if (fxt_phase_sleeps(i->phase))
		account->off[i->task->wait] += known;
	return i->counts && (fxt_phase_waits(i->phase) || fxt_phase_sleeps(i->phase)) ? fxt_account_wait(account, spill, i) : 0;
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

/* Completes an account before it is read, and before its memory is freed.  Returns 0 or -ENOMEM. */
int fxt_account_settle(struct fxt_account *account, struct fxt_spill *spill);
void fxt_account_uninit(struct fxt_account *account, struct fxt_spill *spill);

/* Adds another account, except its wakers.  Returns 0 or -ENOMEM. */
int fxt_account_merge(struct fxt_account *account, struct fxt_spill *spill, const struct fxt_account *other);
void fxt_accounts_uninit(struct fxt_accounts *accounts);

#endif
