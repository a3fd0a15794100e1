/* SPDX-License-Identifier: GPL-2.0-only */
/* Structures of the ABI in the caller's memory; their first word is their size. */
#ifndef FXT_KMOD_ARGUMENT_H
#define FXT_KMOD_ARGUMENT_H

#include <linux/mm.h>
#include <linux/uaccess.h>

/*
 * Copies the bytes that both sides know, once; refuses non-zero bytes that only the caller
 * knows.  0 or -errno.
 */
static inline int fxt_argument_get(void *to, size_t known, const void __user *from)
{
	u32 size;

	if (get_user(size, (const u32 __user *)from))
		return -EFAULT;
	if (size < sizeof(u64) || size > PAGE_SIZE)
		return -EINVAL;
	return copy_struct_from_user(to, known, from, size);
}

#endif
