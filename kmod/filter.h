/* SPDX-License-Identifier: GPL-2.0-only */
/* The filter's state in the module, and the environment of fxt/filter.h. */
#ifndef FXT_KMOD_FILTER_H
#define FXT_KMOD_FILTER_H

#include <linux/atomic.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>

#include "env.h"
#include "fxt/layout.h"

/* Changed only while no probe runs. */
DECLARE_STATIC_KEY_FALSE(fxt_filter_threads);
DECLARE_STATIC_KEY_FALSE(fxt_filter_cpus);
/* Valid only with fxt_filter_threads on: */
extern struct fxt_filter_set *fxt_filter_sets;	/* FXT_FILTER_SETS */
extern struct fxt_filter_queues *fxt_filter_queues;
extern struct fxt_filter_cpu __percpu *fxt_filter_cpu;

#define FXT_FILTER_THREADS	static_branch_unlikely(&fxt_filter_threads)
#define FXT_FILTER_CPU_OUT \
	(static_branch_unlikely(&fxt_filter_cpus) && this_cpu_read(fxt_cpu.excluded))
#define FXT_FILTER_QUEUE_OUT(cpu) \
	(static_branch_unlikely(&fxt_filter_cpus) && per_cpu(fxt_cpu, cpu).excluded)
#define FXT_FILTER_SET(which)	(&fxt_filter_sets[which])
#define FXT_QUEUE_WORD(tid)	(&fxt_filter_queues->of[(tid) & (FXTREC_TIDS_MAX - 1)])
#define FXT_QUEUE_CPU(cpu)	per_cpu_ptr(fxt_filter_cpu, cpu)
#define FXT_QUEUE_ADD(p, v)	atomic_add(v, (atomic_t *)(p))

#include "fxt/queue.h"

/* Returns whether there is a filter. */
bool fxt_filter_any(void);

/*
 * Sets a filter (NULL: none).  fxt_filter_register() then follows the creation, renaming and
 * moving of threads.  Both return 0 or -errno.
 */
int fxt_filter_init(const struct fxtrec_filter *filter);
int fxt_filter_register(void);
void fxt_filter_unregister(void);
/* Frees the filter, once no probe runs any more. */
void fxt_filter_uninit(void);

/*
 * Chooses a thread by its id, or ends that choice.  Returns the number of living threads of
 * a followed process, or 0; -EINVAL without a filter of threads.
 */
int fxt_filter_follow(const struct fxtrec_follow *follow);

/* Returns the greatest id of a followed thread below a number, or 0; -EINVAL without a filter of threads. */
int fxt_filter_followed(unsigned long below);

#endif
