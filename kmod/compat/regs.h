/* SPDX-License-Identifier: GPL-2.0-only */
/* The ABI of a thread's system call, and registers that read as none on processors that fxt/regs.h lacks. */
#ifndef FXT_COMPAT_REGS_H
#define FXT_COMPAT_REGS_H

#include <linux/compat.h>
#include <linux/sched/task_stack.h>

#include <asm/ptrace.h>
#include <asm/syscall.h>

#include "fxt/regs.h"

#if defined(CONFIG_X86_64) && defined(CONFIG_COMPAT)
#define FXT_TASK_COMPAT(task)	(task_thread_info(task)->status & TS_COMPAT)
#elif defined(CONFIG_ARM64) && defined(CONFIG_COMPAT)
#define FXT_TASK_COMPAT(task)	test_tsk_thread_flag((struct task_struct *)(task), TIF_32BIT)
#else
#define FXT_TASK_COMPAT(task)	0
#endif

/* Each sleep counts as one in an exception. */
#ifndef FXT_REGS_CALL
#define FXT_REGS_CALL(regs)	(-1)
#define FXT_REGS_ARG64(regs, i)	0ul
#define FXT_REGS_ARG32(regs, i)	0u
#endif

#endif
