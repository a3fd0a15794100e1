// SPDX-License-Identifier: GPL-2.0-only
/* Determines, by the kernel's type information, how it throttles control groups. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <bpf/btf.h>

#include "source/kernel_btf.h"
#include "source/throttle_kind.h"

/* Sets the offset of a structure's direct member; false: no such member, or its offset is too large. */
static bool offset_of(const struct fxt_kernel_btf *kernel, const char *structure, const char *name, __u16 *offset)
{
	const struct btf_type *type = fxt_kernel_btf_find(kernel, structure, BTF_KIND_STRUCT);
	int i;

	for (i = 0; type && i < btf_vlen(type); i++) {
		__u32 bytes = btf_member_bit_offset(type, i) / 8;

		if (strcmp(fxt_kernel_btf_name(kernel, btf_members(type)[i].name_off), name))
			continue;
		*offset = bytes;
		return bytes <= UINT16_MAX;
	}
	return false;
}

/* Returns whether a group has its queues per CPU rather than in an array of pointers. */
static bool queues_percpu(const struct fxt_kernel_btf *kernel)
{
	const struct btf_type *type = fxt_kernel_btf_find(kernel, "task_group", BTF_KIND_STRUCT);
	int i;

	for (i = 0; type && i < btf_vlen(type); i++)
		if (!strcmp(fxt_kernel_btf_name(kernel, btf_members(type)[i].name_off), "cfs_rq"))
			break;
	if (!type || i == btf_vlen(type))
		return false;
	type = fxt_kernel_btf_type(kernel, btf_members(type)[i].type);
	/* After the pointer, a tag may mark it as per-CPU. */
	do {
		type = fxt_kernel_btf_type(kernel, type->type);
	} while (btf_is_mod(type));
	while (btf_is_type_tag(type))
		type = fxt_kernel_btf_type(kernel, type->type);
	return btf_is_struct(type);
}

void fxt_throttle_kind(struct fxtrec_throttle *t, const struct fxt_kernel_btf *kernel)
{
	__u16 of_task;

	*t = (struct fxtrec_throttle){ .size = sizeof(*t) };
	if (!kernel || !offset_of(kernel, "rq", "cpu", &t->queue_cpu) ||
	    !offset_of(kernel, "task_group", "cfs_rq", &t->group_queues) ||
	    !offset_of(kernel, "cfs_rq", "throttle_count", &t->throttle_count))
		return;
	t->queues_percpu = queues_percpu(kernel);
	t->kind = offset_of(kernel, "task_struct", "sched_throttle_work", &of_task) ? FXT_THROTTLING_THREADS :
										     FXT_THROTTLING_QUEUES;
}
