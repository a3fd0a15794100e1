/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of the arguments of probes, from this kernel's own headers. */
#ifndef FXT_COMPAT_PROBE_H
#define FXT_COMPAT_PROBE_H

#include <linux/mm_types.h>	/* trace/events/sched.h of 6.12 needs it and leaves it out */
#include <linux/types.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

/* Older kernels have unsigned long, which is a different type even with the same size. */
typedef typeof(_Generic(trace_task_newtask,
	void (*)(struct task_struct *, u64): (u64)0,
	void (*)(struct task_struct *, unsigned long): 0UL)) fxt_clone_flags;

/* Older kernels lack the argument group_dead. */
#define fxt_process_exit(probe, probe_older)				\
	_Generic(trace_sched_process_exit,				\
		void (*)(struct task_struct *, bool): (probe),		\
		void (*)(struct task_struct *): (probe_older))

#endif
