/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a system call is one of another kind than the kernel's own, of 32 bits. */
#ifndef FXT_COMPAT_SYSCALL_H
#define FXT_COMPAT_SYSCALL_H

#include <linux/compat.h>

#if defined(CONFIG_X86) && defined(CONFIG_COMPAT)
#define fxt_in_compat_syscall() in_ia32_syscall()	/* x32 has 64 bits, and says so in the number */
#else
#define fxt_in_compat_syscall() in_compat_syscall()
#endif

#endif
