/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The registers that a thread entered the kernel with: the number and the arguments of its system call.  Without
 * these macros the processor's registers aren't read.
 */
#ifndef FXT_REGS_H
#define FXT_REGS_H

#if defined(__TARGET_ARCH_x86) || defined(__x86_64__)
/* rdi, rsi, rdx, r10 and r8 have a call's arguments; ebx, ecx, edx, esi and edi in 32 bits. */
#define FXT_REGS_CALL(regs)	((regs)->orig_ax)
#define FXT_REGS_ARG64(regs, i)	((i) == 0 ? (regs)->di : (i) == 1 ? (regs)->si : (i) == 2 ? (regs)->dx : \
				 (i) == 3 ? (regs)->r10 : (regs)->r8)
#define FXT_REGS_ARG32(regs, i)	((__u32)((i) == 0 ? (regs)->bx : (i) == 1 ? (regs)->cx : (i) == 2 ? (regs)->dx : \
					 (i) == 3 ? (regs)->si : (regs)->di))
#elif defined(__TARGET_ARCH_arm64) || defined(__aarch64__)
#define FXT_REGS_CALL(regs)	((regs)->syscallno)
#define FXT_REGS_ARG64(regs, i)	((i) ? (regs)->user_regs.regs[i] : (regs)->orig_x0)
#define FXT_REGS_ARG32(regs, i)	((__u32)FXT_REGS_ARG64(regs, i))
#endif

#define FXT_REGS_ARG(regs, compat, i)	((compat) ? FXT_REGS_ARG32(regs, i) : FXT_REGS_ARG64(regs, i))

#endif
