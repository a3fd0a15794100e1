/* SPDX-License-Identifier: GPL-2.0-only */
/* Structures of the ABI in the caller's memory; their first word is their size. */
#ifndef FXT_KMOD_ARGUMENT_H
#define FXT_KMOD_ARGUMENT_H

#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/*
 * Copies the bytes that both sides know, once; refuses non-zero bytes that only the caller knows.  Returns 0 or -errno.
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

/* Copies the structure at an address to kmalloc()ed memory.  Returns NULL where the address is 0, or an ERR_PTR(). */
static inline void *fxt_argument_dup(u64 address, size_t known)
{
	void *copy;
	int err;

	if (!address)
		return NULL;
	copy = kzalloc(known, GFP_KERNEL);
	if (!copy)
		return ERR_PTR(-ENOMEM);
	err = fxt_argument_get(copy, known, u64_to_user_ptr(address));
	if (!err)
		return copy;
	kfree(copy);
	return ERR_PTR(err);
}

#endif
