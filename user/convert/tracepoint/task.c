// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints of a thread's life: its name, its process, its end. */
#include <errno.h>
#include <linux/sched.h>

#include "convert/tracepoint/kind.h"

static int named(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, __u32 tid, __u32 process,
		 struct fxt_span name)
{
	struct fxt_ftrace_task *t = fxt_ftrace_task(rd->p, tid);
	int err = t ? 0 : -E2BIG;

	if (!err && process)
		err = fxt_ftrace_task_process(rd->p, t, process, e->line.ns);
	return err ? err : fxt_ftrace_task_name(rd->p, t, name, e->line.ns, true);
}

/* A new thread is of the process of its creator, or one of its own. */
int fxt_tp_read_task_new(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_ftrace_task *creator = e->line.nobody ? NULL : fxt_ftrace_task(rd->p, e->line.tid);
	struct fxt_span name;
	__u32 tid, process;
	__s64 flags;

	if (!fxt_tp_tid(e, 0, &tid) || !fxt_tp_text(rd, e, 1, &name) || !fxt_tp_number(e, 2, &flags))
		return 1;
	if (!creator && !e->line.nobody)
		return -E2BIG;
	process = flags & CLONE_THREAD ? creator && creator->process_known ? creator->process : 0 : tid;
	return named(rd, e, tid, process, name);
}

int fxt_tp_read_task_rename(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid = e->line.tid;
	struct fxt_span name;

	if ((e->tp->role[0] >= 0 && !fxt_tp_tid(e, 0, &tid)) || !fxt_tp_text(rd, e, 1, &name))
		return 1;
	return e->tp->role[0] < 0 && e->line.nobody ? fxt_tp_read_other(rd, e) : named(rd, e, tid, 0, name);
}

/* LTTng's list of the threads at its start. */
int fxt_tp_read_task_state(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_span name;
	__u32 tid, process;

	if (!fxt_tp_tid(e, 0, &tid) || !fxt_tp_tid(e, 1, &process) || !fxt_tp_text(rd, e, 2, &name))
		return 1;
	return named(rd, e, tid, process, name);
}

int fxt_tp_read_fork(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid, process = 0;
	struct fxt_span name;
	int err = 0;

	if (!fxt_tp_tid(e, 1, &tid) || (e->tp->role[2] >= 0 && !fxt_tp_tid(e, 2, &process)))
		return 1;
	if (fxt_tp_text(rd, e, 0, &name))
		err = named(rd, e, tid, process, name);
	return err ? err : fxt_tp_read_other(rd, e);
}

/* A thread that doesn't lead its process gets the leader's id, and leaves its call under the old one. */
int fxt_tp_read_exec(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid, old;
	int err = 0;

	if (!fxt_tp_tid(e, 0, &tid) || !fxt_tp_tid(e, 1, &old))
		return 1;
	if (tid != old)
		err = fxt_ftrace_call_lost(rd->p, old, &e->line);
	return err ? err : fxt_tp_read_other(rd, e);
}

int fxt_tp_read_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid;
	int err;

	if (!fxt_tp_tid(e, 0, &tid))
		return 1;
	err = fxt_ftrace_call_lost(rd->p, tid, &e->line);
	return err ? err : fxt_tp_read_other(rd, e);
}
