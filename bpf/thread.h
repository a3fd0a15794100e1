/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of threads as records of the INFO ring. */
#ifndef FXT_BPF_THREAD_H
#define FXT_BPF_THREAD_H

#include "kernel.h"
#include "info.h"

#include "fxt/text.h"

/*
 * Global functions, so that the verifier checks each once, and continues with one path
 * and not one for each byte at which a name may end.
 */
struct fxt_thread_name;
__u32 fxt_utf8_step_once(__u32 state, __u32 byte);
__u32 fxt_name_bytes_once(const struct fxt_thread_name *name);
int fxt_name_clean_once(struct fxt_thread_name *name);
#define fxt_name_utf8_step fxt_utf8_step_once
#define fxt_name_count fxt_name_bytes_once

#include "fxt/thread.h"

struct fxt_thread_records {
	__u64 word[FXT_THREAD_BYTES_MAX / 8];
};

/* Writes the records that name the task comm; returns their bytes. */
static __always_inline __u32 fxt_thread_write(struct fxt_thread_records *r, const struct task_struct *task,
					      const char *comm, __u64 name_valid_from)
{
	struct fxt_thread_name name = {};

	bpf_probe_read_kernel_str(&name, sizeof(name), comm);
	fxt_name_clean_once(&name);
	return fxt_thread_describe(r->word, task->pid, task->tgid, &name, name_valid_from);
}

static __always_inline int fxt_thread_emit(const struct task_struct *task, const char *comm, __u64 name_valid_from)
{
	struct fxt_thread_records r = {};
	struct fxt_info_slot s;
	__u32 bytes;

	/* An idle thread, by fork_idle() for a CPU that comes online. */
	if (!task->pid)
		return 0;
	bytes = fxt_thread_write(&r, task, comm, name_valid_from);
	if (bytes > sizeof(r) || !fxt_info_reserve(&s, bytes))
		return 0;
	bpf_probe_read_kernel(s.w, bytes, &r);
	fxt_info_commit();
	return 0;
}

#endif
