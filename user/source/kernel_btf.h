/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's type information, for a few look-ups: an index of its types, without a copy of them. */
#ifndef FXT_SOURCE_KERNEL_BTF_H
#define FXT_SOURCE_KERNEL_BTF_H

#include <linux/btf.h>
#include <linux/types.h>

#define FXT_KERNEL_BTF	"/sys/kernel/btf/vmlinux"

struct fxt_kernel_btf;

/* Opens the type information, which takes a millisecond; NULL with errno where it can't be read. */
struct fxt_kernel_btf *fxt_kernel_btf_open(void);
void fxt_kernel_btf_close(struct fxt_kernel_btf *kernel);

/* Makes an index of type information in memory, which stays the caller's; NULL with errno. */
struct fxt_kernel_btf *fxt_kernel_btf_index(const void *bytes, size_t count);

/* Returns the first type of a name and a BTF_KIND_*; NULL: none. */
const struct btf_type *fxt_kernel_btf_find(const struct fxt_kernel_btf *kernel, const char *name, __u32 kind);

/* Returns a type by its number; void for a number without a type. */
const struct btf_type *fxt_kernel_btf_type(const struct fxt_kernel_btf *kernel, __u32 id);

/* Returns a name by its offset; an empty one for an offset without a name. */
const char *fxt_kernel_btf_name(const struct fxt_kernel_btf *kernel, __u32 offset);

#endif
