/* SPDX-License-Identifier: GPL-2.0-only */
/* The rings in a reader's address space. */
#ifndef FXT_MAP_H
#define FXT_MAP_H

struct vm_area_struct;

/* Where the consumer pages begin; the areas begin at 0. */
#define FXT_MAP_CONSUMER	(1ULL << 42)

/* The recording is armed, by the mapped file; takes no lock.  0 or -errno. */
int fxt_map(struct vm_area_struct *vma);

#endif
