/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's type information. */
#ifndef FXT_SOURCE_KERNEL_BTF_H
#define FXT_SOURCE_KERNEL_BTF_H

#define FXT_KERNEL_BTF	"/sys/kernel/btf/vmlinux"

struct btf;

/* Reads the type information; it takes milliseconds.  For btf__free(); NULL: there is none, or errno has the cause. */
struct btf *fxt_kernel_btf(void);

#endif
