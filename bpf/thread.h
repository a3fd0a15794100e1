/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of threads as records of the INFO ring. */
#ifndef FXT_BPF_THREAD_H
#define FXT_BPF_THREAD_H

#include "kernel.h"
#include "info.h"

#include "fxt/text.h"

/*
 * Global functions, so that the verifier checks each once, and continues with one path, and
 * not with one for each possible end of a name.
 */
struct fxt_thread_name;
__u32 fxt_utf8_step_once(__u32 state, __u32 byte);
__u32 fxt_name_bytes_once(const struct fxt_thread_name *name);
int fxt_name_mend_once(struct fxt_thread_name *name, __u32 state, __u32 bytes);
int fxt_name_clean_once(struct fxt_thread_name *name);
#define fxt_name_utf8_step fxt_utf8_step_once
#define fxt_name_count fxt_name_bytes_once
#define fxt_name_finish fxt_name_mend_once

#include "fxt/thread.h"

/*
 * Returns the id of a task's group of the controller "cpu"; 0 without control groups, or
 * where the recording doesn't need it.
 */
static __noinline __u64 fxt_cgroup_id(const struct task_struct *task)
{
	struct cgroup_subsys_state *css = 0;
	const struct css_set *set;

	if (!fxt_cgroups_recorded || !bpf_core_enum_value_exists(enum cgroup_subsys_id, cpu_cgrp_id))
		return 0;
	set = BPF_CORE_READ(task, cgroups);
	bpf_probe_read_kernel(&css, sizeof(css), __builtin_preserve_access_index(&set->subsys[0]) +
			      bpf_core_enum_value(enum cgroup_subsys_id, cpu_cgrp_id));
	return BPF_CORE_READ(css, cgroup, kn, id);
}

struct fxt_thread_records {
	__u64 word[FXT_THREAD_BYTES_MAX / 8];
};

/* Writes the records that name the task comm.  Returns their bytes. */
static __always_inline __u32 fxt_thread_write(struct fxt_thread_records *r, const struct task_struct *task,
					      const char *comm, __u64 name_valid_from)
{
	struct fxt_thread_name name = {};

	bpf_probe_read_kernel_str(&name, sizeof(name), comm);
	fxt_name_clean_once(&name);
	return fxt_thread_describe(r->word, BPF_CORE_READ(task, pid), BPF_CORE_READ(task, tgid), &name, name_valid_from, fxt_cgroup_id(task));
}

static __always_inline int fxt_thread_emit(const struct task_struct *task, const char *comm, __u64 name_valid_from)
{
	struct fxt_thread_records r = {};
	struct fxt_info_slot s;
	__u32 bytes;

	/* An idle thread, which fork_idle() creates for a CPU that comes online. */
	if (!BPF_CORE_READ(task, pid))
		return 0;
	bytes = fxt_thread_write(&r, task, comm, name_valid_from);
	if (bytes > sizeof(r) || !fxt_info_reserve(&s, bytes))
		return 0;
	bpf_probe_read_kernel(s.w, bytes, &r);
	fxt_info_commit();
	return 0;
}

#endif
