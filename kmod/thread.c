// SPDX-License-Identifier: GPL-2.0-only
/* Names of threads: probes on creation and renaming, which exec does, too; and where one ends. */
#include <linux/cred.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "compat/probe.h"
#include "env.h"
#include "fxt/rename.h"
#include "info.h"
#include "thread.h"
#include "throttle.h"
#include "probe.h"

/* Since when creations are recorded, by CLOCK_MONOTONIC and by the recording's clock; set before there are switches. */
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

	/* An idle thread, by fork_idle() for a CPU that comes online. */
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

/* Runs before the task has the new name, which may be given by another one. */
static void probe_rename(void *data, struct task_struct *task, const char *comm)
{
	struct fxtrec_area *area = this_cpu_read(fxt_cpu.area);

	if (area == &fxt_null_area || fxt_rename_is_recorded(area, current->pid, __kuid_val(current_uid())))
		emit_name(task, comm, fxt_clock());
}

static struct fxt_probe thread_probes[] = {
	FXT_PROBE(task_newtask, probe_newtask),
	FXT_PROBE(task_rename, probe_rename),
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
