// SPDX-License-Identifier: GPL-2.0-only
/* Records command lines: a program on exec, which never waits, since exec has just written the arguments. */
#include "thread.h"
#include <bpf/bpf_tracing.h>

#include "fxt/command.h"
#include "fxt/rename.h"

#define WORDS_MASK	(FXT_COMMAND_BYTES_MAX / 8 - 1)

/* Cleans a word; for bpf_loop(), so that the verifier checks only one word. */
static long text_clean(__u32 i, __u64 **text)
{
	__u64 *word = *text + (i & WORDS_MASK);

	*word = fxt_command_text(*word);
	return 0;
}

static long text_unknown(__u32 i, __u64 **text)
{
	(*text)[i & WORDS_MASK] = 0x3f3f3f3f3f3f3f3fULL;
	return 0;
}

/* Writes the text at an address; a page of the text may be gone since is_there(). */
static __noinline int text_write(__u64 *text, __u32 bytes, __u64 from)
{
	__u32 words = fxt_words(bytes), last = (words - 1) & WORDS_MASK;

	text[last] = 0;
	if (bpf_probe_read_user(text, bytes & (2 * FXT_COMMAND_BYTES_MAX - 1), (const void *)from))
		bpf_loop(words, text_unknown, &text, 0);
	else
		bpf_loop(words, text_clean, &text, 0);
	text[last] = fxt_command_end(text[last], bytes);
	return 0;
}

static __always_inline int is_there(__u64 from, __u32 bytes)
{
	char first, last;

	return !bpf_probe_read_user(&first, 1, (const void *)from) &&
	       !bpf_probe_read_user(&last, 1, (const void *)(from + bytes - 1));
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(fxt_exec, struct task_struct *task)
{
	struct fxtrec_area *area = fxt_area();
	__u64 from = BPF_CORE_READ(task, mm, arg_start);
	__u32 bytes = fxt_command_bytes(from, BPF_CORE_READ(task, mm, arg_end)), name_bytes, head;
	struct fxt_thread_name name = {};
	struct fxt_info_slot s;

	if (!area || !bytes || !fxt_command_is_recorded(area) || !is_there(from, bytes))
		return 0;
	bpf_probe_read_kernel_str(&name, sizeof(name), task->comm);
	fxt_name_clean_once(&name);
	name_bytes = fxt_name_count(&name) & (FXT_COMM_BYTES - 1);
	head = fxt_command_write(0, 0, &name, name_bytes, bytes, 0);
	if (!fxt_info_reserve(&s, 8 * (head + fxt_words(bytes))))
		return 0;
	fxt_command_write(s.w, task->tgid, &name, name_bytes, bytes, s.ticks);
	text_write(s.w + head, bytes, from);
	fxt_info_commit();
	return 0;
}
