/* SPDX-License-Identifier: GPL-2.0-only */
/* Which scheduling events are kept: those of chosen threads, those on chosen CPUs. */
#ifndef FXT_FILTER_H
#define FXT_FILTER_H

#include <linux/jump_label.h>
#include <linux/percpu.h>

#include "env.h"

/* Changed only while no probe runs. */
DECLARE_STATIC_KEY_FALSE(fxt_filter_threads);
DECLARE_STATIC_KEY_FALSE(fxt_filter_cpus);

/* A bit for each thread id, where fxt_filter_threads is on. */
extern unsigned long *fxt_filter_chosen;
DECLARE_PER_CPU(bool, fxt_cpu_excluded);

static __always_inline bool fxt_filter_has(u32 tid)
{
	return READ_ONCE(fxt_filter_chosen[tid / BITS_PER_LONG]) >> tid % BITS_PER_LONG & 1;
}

/* Whether a thread's events are left out. */
static __always_inline bool fxt_filter_thread_out(u32 tid)
{
	return static_branch_unlikely(&fxt_filter_threads) && !fxt_filter_has(tid);
}

/* Whether this CPU's events are left out. */
static __always_inline bool fxt_filter_cpu_out(void)
{
	return static_branch_unlikely(&fxt_filter_cpus) && this_cpu_read(fxt_cpu_excluded);
}

/* Whether probes have anything to leave out. */
bool fxt_filter_any(void);

/*
 * Takes a struct fxtrec_filter in, by its address in the caller's memory (0: none),
 * then follows births, renames and moves.  0 or -errno; all with fxt_recording_lock.
 */
int fxt_filter_init(u64 address);
int fxt_filter_register(void);
void fxt_filter_unregister(void);
/* No probe runs any more. */
void fxt_filter_uninit(void);

/* Has a thread be chosen by its id, or no longer; -EINVAL where none are. */
int fxt_filter_follow(const struct fxtrec_follow *follow);

#endif
