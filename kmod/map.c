// SPDX-License-Identifier: GPL-2.0-only
/* Maps the rings for a reader: areas read-only, consumer pages writable. */
#include <linux/vmalloc.h>

#include "compat/mm.h"
#include "map.h"
#include "recording.h"

/* Maps a page.  Takes no lock: the rings live as long as the file, and every mapping holds a reference to the file. */
static vm_fault_t fault(struct vm_fault *vmf)
{
	char *memory = vmf->vma->vm_private_data;
	struct page *page;

	page = vmalloc_to_page(memory + ((vmf->pgoff - vmf->vma->vm_pgoff) << PAGE_SHIFT));
	if (!page)
		return VM_FAULT_SIGBUS;
	get_page(page);
	vmf->page = page;
	return 0;
}

/* Forbids splitting a mapping: fault() relies on the first page of a mapping being the first of its object. */
static int may_split(struct vm_area_struct *vma, unsigned long address)
{
	return -EINVAL;
}

static const struct vm_operations_struct map_operations = {
	.fault = fault,
	.may_split = may_split,
};

int fxt_map(struct vm_area_struct *vma)
{
	struct fxt_recording *r = &fxt_recording;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	size_t bytes = vma->vm_end - vma->vm_start;
	bool consumer = offset >= FXT_MAP_CONSUMER;
	size_t unit = consumer ? FXT_CONSUMER_BYTES : r->area_bytes;
	const struct fxt_rings *rings;
	u64 cpu;

	if (consumer)
		offset -= FXT_MAP_CONSUMER;
	cpu = div64_u64(offset, unit);
	if (cpu >= r->cpu_count || offset != cpu * unit || bytes != unit ||
	    !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	rings = &r->rings[cpu];
	if (!rings->area)
		return -ENXIO;
	if (!consumer && vma->vm_flags & VM_WRITE)
		return -EACCES;
	vma->vm_private_data = consumer ? (void *)rings->consumer : (void *)rings->area;
	vma->vm_ops = &map_operations;
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     consumer ? 0 : VM_MAYWRITE);
	return 0;
}
