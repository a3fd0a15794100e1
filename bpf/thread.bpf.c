// SPDX-License-Identifier: GPL-2.0-only
/* Names of threads: programs on creation and renaming, and an iterator that lists all threads. */
#include "kernel.h"
#include "info.h"
#include <bpf/bpf_tracing.h>

#include "fxt/text.h"

/*
 * Global functions, so that the verifier checks each once, and continues with one path
 * and not one for each byte at which a name may end.
 */
struct fxt_thread_name;
__u32 fxt_utf8_step_once(__u32 state, __u32 byte);
__u32 fxt_name_bytes_once(const struct fxt_thread_name *name);
#define fxt_name_utf8_step fxt_utf8_step_once
#define fxt_name_count fxt_name_bytes_once

#include "fxt/rename.h"
#include "fxt/thread.h"

__noinline __u32 fxt_utf8_step_once(__u32 state, __u32 byte)
{
	return fxt_utf8_step(state, byte);
}

__noinline __u32 fxt_name_bytes_once(const struct fxt_thread_name *name)
{
	return name ? fxt_name_bytes(name) : 0;
}

__noinline int fxt_name_clean_once(struct fxt_thread_name *name)
{
	if (name)
		fxt_name_clean(name);
	return 0;
}

struct records {
	__u64 word[FXT_THREAD_BYTES_MAX / 8];
};

/* Writes the records that name the task comm; returns their bytes. */
static __always_inline __u32 describe(struct records *r, const struct task_struct *task,
				      const char *comm, __u64 name_valid_from)
{
	struct fxt_thread_name name = {};

	bpf_probe_read_kernel_str(&name, sizeof(name), comm);
	fxt_name_clean_once(&name);
	return fxt_thread_describe(r->word, task->pid, task->tgid, &name, name_valid_from);
}

static __always_inline int emit(const struct task_struct *task, const char *comm)
{
	struct records r = {};
	struct fxt_info_slot s;
	__u32 bytes;

	/* An idle thread, by fork_idle() for a CPU that comes online. */
	if (!task->pid)
		return 0;
	bytes = describe(&r, task, comm, fxt_clock());
	if (bytes > sizeof(r) || !fxt_info_reserve(&s, bytes))
		return 0;
	bpf_probe_read_kernel(s.w, bytes, &r);
	fxt_info_commit();
	return 0;
}

SEC("tp_btf/task_newtask")
int BPF_PROG(fxt_newtask, struct task_struct *task)
{
	return emit(task, task->comm);
}

/* Runs before the task has the new name, which may be given by another one. */
SEC("tp_btf/task_rename")
int BPF_PROG(fxt_rename, struct task_struct *task, const char *comm)
{
	struct fxtrec_area *area = fxt_area();

	if (!area || !fxt_rename_is_recorded(area, bpf_get_current_pid_tgid()))
		return 0;
	return emit(task, comm);
}

SEC("iter/task")
int fxt_listing(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct records r = {};
	__u32 bytes;

	if (!task)
		return 0;
	bytes = describe(&r, task, task->comm, fxt_clock());
	if (bytes <= sizeof(r))
		bpf_seq_write(ctx->meta->seq, &r, bytes);
	return 0;
}
