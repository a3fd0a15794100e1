/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of delays in the module, and the environment of fxt/delay.h. */
#ifndef FXT_KMOD_DELAY_H
#define FXT_KMOD_DELAY_H

#include <linux/jump_label.h>
#include <linux/sched.h>

#include "env.h"

struct fxt_delays {
	u32 tids;
	u64 *start[FXTREC_DELAYS];	/* ticks by thread id */
	u64 bound[FXTREC_DELAYS];	/* in ticks */
};

/* Changed only while no probe runs. */
extern struct static_key_false fxt_delay_bounded[FXTREC_DELAYS];
extern struct fxt_delays fxt_delays;

void fxt_delay_report(enum fxtrec_delay kind, const struct task_struct *task, u64 ticks);

#define FXT_DELAY_BOUNDED(kind)	static_branch_unlikely(&fxt_delay_bounded[kind])
#define FXT_DELAY_BOUND(kind)	fxt_delays.bound[kind]
#define FXT_DELAY_START(kind, tid) \
	((tid) < fxt_delays.tids ? &fxt_delays.start[kind][tid] : NULL)
#define FXT_DELAY_REPORT(kind, task, ticks)	fxt_delay_report(kind, task, ticks)

#include "fxt/delay.h"

/* Returns whether there is a bound. */
bool fxt_delay_any(void);

/* Sets the bounds (NULL: none), once the clock is selected.  Returns 0 or -errno. */
int fxt_delay_init(const struct fxtrec_delays *bounds, u64 ticks_per_second);
/* Frees the tables, once no probe runs any more. */
void fxt_delay_uninit(void);

#endif
