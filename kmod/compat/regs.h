/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers that a thread entered the kernel with: the number and the arguments of its system call. */
#ifndef FXT_COMPAT_REGS_H
#define FXT_COMPAT_REGS_H

#include <linux/sched/task_stack.h>
#include <linux/compat.h>

#include <asm/ptrace.h>
#include <asm/syscall.h>

#if defined(CONFIG_X86_64)
/* rdi, rsi, rdx, r10 and r8 have a call's arguments; ebx, ecx, edx, esi and edi in 32 bits. */
#define FXT_REGS_CALL(regs)	((regs)->orig_ax)
#define FXT_REGS_ARG64(regs, i)	((i) == 0 ? (regs)->di : (i) == 1 ? (regs)->si : (i) == 2 ? (regs)->dx : \
				 (i) == 3 ? (regs)->r10 : (regs)->r8)
#define FXT_REGS_ARG32(regs, i)	((u32)((i) == 0 ? (regs)->bx : (i) == 1 ? (regs)->cx : (i) == 2 ? (regs)->dx : \
				       (i) == 3 ? (regs)->si : (regs)->di))
#ifdef CONFIG_COMPAT
#define FXT_TASK_COMPAT(task)	(task_thread_info(task)->status & TS_COMPAT)
#else
#define FXT_TASK_COMPAT(task)	0
#endif
#elif defined(CONFIG_ARM64)
#define FXT_REGS_CALL(regs)	((regs)->syscallno)
#define FXT_REGS_ARG64(regs, i)	((i) ? (regs)->regs[i] : (regs)->orig_x0)
#define FXT_REGS_ARG32(regs, i)	((u32)FXT_REGS_ARG64(regs, i))
#ifdef CONFIG_COMPAT
#define FXT_TASK_COMPAT(task)	test_tsk_thread_flag(task, TIF_32BIT)
#else
#define FXT_TASK_COMPAT(task)	0
#endif
#else
/* The registers of other processors aren't read: each sleep has an unknown reason. */
#define FXT_REGS_CALL(regs)	(-1)
#define FXT_REGS_ARG64(regs, i)	0ul
#define FXT_REGS_ARG32(regs, i)	0u
#define FXT_TASK_COMPAT(task)	0
#endif

#endif
