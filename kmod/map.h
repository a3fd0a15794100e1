/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps the rings for a reader. */
#ifndef FXT_MAP_H
#define FXT_MAP_H

struct vm_area_struct;

/* Offset of the consumer pages; the areas start at 0. */
#define FXT_MAP_CONSUMER	(1ULL << 42)

/* Size of a consumer page in whole pages of the kernel, which may be larger. */
#define FXT_CONSUMER_BYTES	PAGE_ALIGN(sizeof(struct fxtrec_consumer))

/* Maps an area or a consumer page.  The mapped file has armed the recording; takes no lock.  Returns 0 or -errno. */
int fxt_map(struct vm_area_struct *vma);

#endif
