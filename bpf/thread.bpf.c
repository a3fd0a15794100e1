// SPDX-License-Identifier: GPL-2.0-only
/* Names of threads: programs on creation and renaming, and an iterator that lists all threads. */
#include "thread.h"
#include <bpf/bpf_tracing.h>

#define FXT_RENAMER_INDEX(p, set, id, tail)	fxt_renamer_once(set, id, tail)
__u32 fxt_renamer_once(__u32 set, __u32 id, __u64 tail);

#include "fxt/rename.h"

__noinline __u32 fxt_renamer_once(__u32 set, __u32 id, __u64 tail)
{
	struct fxtrec_area *area = fxt_area();

	return area ? fxt_renamer_index(&area->ring[FXTREC_RING_INFO], set, id, tail) : 0;
}

__noinline __u32 fxt_utf8_step_once(__u32 state, __u32 byte)
{
	return fxt_utf8_step(state, byte);
}

__noinline __u32 fxt_name_bytes_once(const struct fxt_thread_name *name)
{
	return name ? fxt_name_bytes(name) : 0;
}

__noinline int fxt_name_mend_once(struct fxt_thread_name *name, __u32 state, __u32 bytes)
{
	if (name)
		fxt_name_mend(name, state, bytes);
	return 0;
}

__noinline int fxt_name_clean_once(struct fxt_thread_name *name)
{
	if (name)
		fxt_name_clean(name);
	return 0;
}

SEC("tp_btf/task_newtask")
int BPF_PROG(fxt_newtask, struct task_struct *task)
{
	return fxt_thread_emit(task, task->comm, fxt_clock());
}

/* Records a new name.  Runs before the task has the name, which another task may set. */
SEC("tp_btf/task_rename")
int BPF_PROG(fxt_rename, struct task_struct *task, const char *comm)
{
	struct fxtrec_area *area = fxt_area();

	if (!area || !fxt_rename_is_recorded(area, bpf_get_current_pid_tgid(), bpf_get_current_uid_gid()))
		return 0;
	return fxt_thread_emit(task, comm, fxt_clock());
}

SEC("iter/task")
int fxt_listing(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct fxt_thread_records r = {};
	__u32 bytes;

	if (!task)
		return 0;
	bytes = fxt_thread_write(&r, task, task->comm, fxt_clock());
	if (bytes <= sizeof(r))
		bpf_seq_write(ctx->meta->seq, &r, bytes);
	return 0;
}
