/* SPDX-License-Identifier: GPL-2.0-only */
/* Detects system calls of the 32-bit ABI. */
#ifndef FXT_COMPAT_SYSCALL_H
#define FXT_COMPAT_SYSCALL_H

#include <linux/compat.h>

#if defined(CONFIG_X86) && defined(CONFIG_COMPAT)
#define fxt_in_compat_syscall() in_ia32_syscall()	/* x32 is a 64-bit ABI with a bit in the number */
#else
#define fxt_in_compat_syscall() in_compat_syscall()
#endif

#endif
