/* SPDX-License-Identifier: GPL-2.0-only */
/* The probes on system calls. */
#ifndef FXT_KMOD_SYSCALL_H
#define FXT_KMOD_SYSCALL_H

int fxt_syscall_register(void);
void fxt_syscall_unregister(void);

#endif
