// SPDX-License-Identifier: GPL-2.0-only
/* System calls, and threads that exit inside one. */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <trace/events/syscalls.h>

#include "compat/probe.h"
#include "compat/syscall.h"
#include "event.h"
#include "filter.h"
#include "fxt/syscall.h"

/* Allocated while the probes are registered. */
static struct fxt_syscalls *syscalls;

static u16 *slice_of(pid_t pid)
{
	return &syscalls->open_slices[pid & (FXT_SYSCALL_THREADS - 1)];
}

static void probe_sys_enter(void *data, struct pt_regs *regs, long number)
{
	u16 name = fxt_syscall_name(number, fxt_in_compat_syscall());
	struct fxt_event e;

	/* An end is kept if its begin was. */
	if (fxt_filter_keeps(current->pid) && fxt_event_begin(&e))
		fxt_event_end(&e, fxt_syscall_enter(e.area, slice_of(current->pid), name,
						    current->tgid, current->pid, e.ticks));
}

static void probe_sys_exit(void *data, struct pt_regs *regs, long ret)
{
	struct fxt_event e;

	if (fxt_event_begin(&e))
		fxt_event_end(&e, fxt_syscall_exit(e.area, slice_of(current->pid), ret,
						   current->tgid, current->pid, e.ticks));
}

static void slice_close(const struct task_struct *task, pid_t pid)
{
	struct fxt_event e;

	if (fxt_event_begin(&e))
		fxt_event_end(&e, fxt_syscall_close(e.area, slice_of(pid), task->tgid, pid, e.ticks));
}

static void probe_process_exit(void *data, struct task_struct *task, bool group_dead)
{
	slice_close(task, task->pid);
}

static void probe_process_exit_older(void *data, struct task_struct *task)
{
	slice_close(task, task->pid);
}

static void probe_process_exec(void *data, struct task_struct *task, pid_t old_pid,
			       struct linux_binprm *binprm)
{
	if (old_pid != task->pid)
		slice_close(task, old_pid);
}

/* Ends first: an end without a recorded begin is dropped. */
static struct fxt_probe syscall_probes[] = {
	FXT_PROBE(sched_process_exit,
		  fxt_process_exit(probe_process_exit, probe_process_exit_older)),
	FXT_PROBE(sched_process_exec, probe_process_exec),
	FXT_PROBE(sys_exit, probe_sys_exit),
	FXT_PROBE(sys_enter, probe_sys_enter),
};

static int alloc_syscalls(void)
{
	syscalls = vzalloc(sizeof(*syscalls));
	return syscalls ? 0 : -ENOMEM;
}

static void free_syscalls(void)
{
	vfree(syscalls);
	syscalls = NULL;
}

const struct fxt_family fxt_syscalls_family = {
	.probes = syscall_probes,
	.count = ARRAY_SIZE(syscall_probes),
	.init = alloc_syscalls,
	.uninit = free_syscalls,
};
