// SPDX-License-Identifier: GPL-2.0-only
/* Names of threads: probes on creation, renaming (by exec, too) and ends of threads. */
#include <linux/binfmts.h>
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "compat/probe.h"
#include "env.h"
#include "fxt/command.h"
#include "fxt/rename.h"
#include "info.h"
#include "thread.h"
#include "throttle.h"
#include "probe.h"

/*
 * Start of the recording of creations, by CLOCK_MONOTONIC and by the recording's clock; set before there are switches.
 */
static struct { u64 ns, ticks; } created_since;

u32 fxt_thread_write(u64 *w, const struct task_struct *task, const char *comm, u64 name_valid_from)
{
	struct fxt_thread_name name = {};

	strscpy((char *)name.word, comm, sizeof(name));
	fxt_name_clean(&name);
	return fxt_thread_describe(w, task->pid, task->tgid, &name, name_valid_from, fxt_cgroup_id(task));
}

static void emit_name(const struct task_struct *task, const char *comm, u64 name_valid_from)
{
	u64 records[FXT_THREAD_BYTES_MAX / 8];
	struct fxt_info_slot s;
	u32 bytes;

	/* An idle thread, which fork_idle() creates for a CPU that comes online. */
	if (!task->pid)
		return;
	bytes = fxt_thread_write(records, task, comm, name_valid_from);
	if (!fxt_info_reserve(&s, bytes))
		return;
	memcpy(s.w, records, bytes);
	fxt_info_commit(&s);
}

void fxt_thread_rename(const struct task_struct *task)
{
	emit_name(task, task->comm, fxt_clock());
}

static void probe_newtask(void *data, struct task_struct *task, fxt_clone_flags flags)
{
	emit_name(task, task->comm, fxt_clock());
}

void fxt_thread_end(const struct task_struct *task)
{
	if (task->start_time < created_since.ns)
		emit_name(task, task->comm, created_since.ticks);
}

/* Records a new name.  Runs before the task has the name, which another task may set. */
static void probe_rename(void *data, struct task_struct *task, const char *comm)
{
	struct fxtrec_area *area = this_cpu_read(fxt_cpu.area);

	if (area == &fxt_null_area || fxt_rename_is_recorded(area, current->pid, __kuid_val(current_uid())))
		emit_name(task, comm, fxt_clock());
}

/* Reads the text of a command line without waiting for the process's memory map: exec has just written the text. */
static bool command_read(u64 *text, unsigned long from, u32 bytes)
{
	u32 words = fxt_words(bytes), i;
	bool failed;

	if (!bytes || !access_ok((const void __user *)from, bytes))
		return false;
	text[words - 1] = 0;
	pagefault_disable();
	failed = __copy_from_user_inatomic(text, (const void __user *)from, bytes);
	pagefault_enable();
	for (i = 0; i < words && !failed; i++)
		text[i] = fxt_command_text(text[i]);
	text[words - 1] = fxt_command_end(text[words - 1], bytes);
	return !failed;
}

static void probe_exec_command(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *binprm)
{
	u64 text[FXT_COMMAND_BYTES_MAX / 8];
	u32 bytes = fxt_command_bytes(task->mm->arg_start, task->mm->arg_end), head, name_bytes;
	struct fxtrec_area *area = this_cpu_read(fxt_cpu.area);
	struct fxt_thread_name name = {};
	struct fxt_info_slot s;

	if (area == &fxt_null_area || !fxt_command_is_recorded(area) || !command_read(text, task->mm->arg_start, bytes))
		return;
	strscpy((char *)name.word, task->comm, sizeof(name));
	fxt_name_clean(&name);
	name_bytes = fxt_name_bytes(&name);
	head = fxt_command_write(NULL, 0, &name, name_bytes, bytes, 0);
	if (!fxt_info_reserve(&s, 8 * (head + fxt_words(bytes))))
		return;
	fxt_command_write(s.w, task->tgid, &name, name_bytes, bytes, s.ticks);
	memcpy(s.w + head, text, 8 * fxt_words(bytes));
	fxt_info_commit(&s);
}

static struct fxt_probe thread_probes[] = {
	FXT_PROBE(task_newtask, probe_newtask),
	FXT_PROBE(task_rename, probe_rename),
	FXT_PROBE(sched_process_exec, probe_exec_command),
};

int fxt_thread_register(void)
{
	int err = fxt_probe_register(thread_probes, ARRAY_SIZE(thread_probes));

	created_since.ns = ktime_get_ns();
	created_since.ticks = fxt_clock();
	return err;
}

void fxt_thread_unregister(void)
{
	fxt_probe_unregister(thread_probes, ARRAY_SIZE(thread_probes));
}
