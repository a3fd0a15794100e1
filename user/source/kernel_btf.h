/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's type information. */
#ifndef FXT_SOURCE_KERNEL_BTF_H
#define FXT_SOURCE_KERNEL_BTF_H

#define FXT_KERNEL_BTF	"/sys/kernel/btf/vmlinux"

struct btf;

/*
 * Reads the kernel's type information, which takes milliseconds; to be freed by btf__free().  NULL with errno where it
 * can't be read.
 */
struct btf *fxt_kernel_btf(void);

#endif
