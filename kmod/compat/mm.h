/* SPDX-License-Identifier: GPL-2.0-only */
/* Adapts memory mapping to the spelling of the newest kernel. */
#ifndef FXT_COMPAT_MM_H
#define FXT_COMPAT_MM_H

#include <linux/mm.h>
#include <linux/version.h>

/* 6.3 made vm_flags constant: bc292ab00f6c ("mm: introduce vma->vm_flags wrapper functions"). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define vm_flags_mod(vma, set, clear) \
	((vma)->vm_flags = ((vma)->vm_flags | (set)) & ~(clear))
#endif

#endif
