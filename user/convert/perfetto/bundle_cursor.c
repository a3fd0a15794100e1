// SPDX-License-Identifier: GPL-2.0-only
/* Events of ftrace as records, and those that a bundle tells in full. */
#include "convert/perfetto/bundle_cursor.h"

__u64 fxt_pf_cursor_ns(const struct fxt_pf_cursor *w, __u64 time)
{
	return fxt_pf_ns(w->g, NULL, w->clock, time + w->shift);
}

int fxt_pf_cursor_switch(struct fxt_pf_cursor *w, const struct fxt_switch_view *v, __u64 ns)
{
	struct fxt_pf_cpu_reading *cpu = w->cpu;
	struct fxt_record r;

	cpu->running_known = true;
	cpu->running = v->next;
	cpu->running_prio = v->next_prio;
	fxt_switch_view_put(v, &r, ns);
	return fxt_pf_put(w->g, &r, ns, cpu->provider);
}

int fxt_pf_cursor_wakeup(struct fxt_pf_cursor *w, const struct fxt_wakeup_view *v, __u64 ns)
{
	struct fxt_record r;

	fxt_wakeup_view_put(v, &r, ns);
	return fxt_pf_put(w->g, &r, ns, w->cpu->provider);
}

static int full_name(struct fxt_pf_cursor *w, __u32 pid, const char *name, __u64 ns)
{
	return name && *name && pid ? fxt_pf_thread_named(w->g, pid, 0, name, &ns) : 0;
}

static int switch_full(struct fxt_pf_cursor *w, const Pf__SchedSwitch *sw, __u64 ns)
{
	struct fxt_switch_view v = {
		.cpu = w->cpu->cpu,
		.prev = (__u32)sw->prev_pid,
		.prev_prio = sw->prev_prio,
		.next = (__u32)sw->next_pid,
		.next_prio = sw->next_prio,
	};
	int err = full_name(w, v.prev, sw->prev_comm, ns);

	if (!err)
		err = full_name(w, v.next, sw->next_comm, ns);
	fxt_switch_view_prev_state_set(&v, sw->prev_state);
	return err ? err : fxt_pf_cursor_switch(w, &v, ns);
}

static int wakeup_full(struct fxt_pf_cursor *w, const Pf__FtraceEvent *e, const Pf__SchedWakeup *wakeup,
		       __u64 ns)
{
	struct fxt_wakeup_view v = {
		.cpu = w->cpu->cpu,
		.new = e->sched_wakeup_new,
		.thread = (__u32)wakeup->pid,
		.prio = wakeup->prio,
		.target = (__u16)wakeup->target_cpu,
		.waker = e->pid,
		.waker_known = e->has_pid,
		.on_cpu = e->common_flags & FXT_PF_FLAG_ON_CPU,
	};
	int err = full_name(w, v.thread, wakeup->comm, ns);

	return err ? err : fxt_pf_cursor_wakeup(w, &v, ns);
}

/* A new thread is of its maker's process. */
static int newtask(struct fxt_pf_cursor *w, const Pf__FtraceEvent *e, __u64 ns)
{
	const Pf__TaskNewtask *task = e->task_newtask;
	__u32 pid = task->pid;
	const char *name = task->comm ? task->comm : "";
	int err;

	if (task->clone_flags & FXT_PF_CLONE_THREAD)
		return fxt_pf_thread_named(w->g, pid, fxt_pf_process_of(w->g, e->pid), name, &ns);
	err = fxt_pf_process_named(w->g, pid, name, &ns);
	return err ? err : fxt_pf_thread_named(w->g, pid, pid, name, &ns);
}

static int renamed(struct fxt_pf_cursor *w, const Pf__TaskRename *task, __u64 ns)
{
	__u32 pid = task->pid;
	const char *name = task->newcomm ? task->newcomm : "";
	int err = fxt_pf_thread_named(w->g, pid, 0, name, &ns);

	if (!err && fxt_pf_process_of(w->g, pid) == pid)
		err = fxt_pf_process_named(w->g, pid, name, &ns);
	return err;
}

/* What a program wrote to trace_marker. */
static int print_put(struct fxt_pf_cursor *w, const Pf__FtraceEvent *e, __u64 ns)
{
	__u64 process = fxt_pf_process_of(w->g, e->pid);
	const char *text = e->print->buf ? e->print->buf : "";
	size_t length = strlen(text);
	struct fxt_record r;

	while (length && text[length - 1] == '\n')
		length--;
	fxt_build_event(&r, FXT_EVENT_INSTANT, ns, process ? process : e->pid, e->pid,
			fxt_build_string("mark"), fxt_build_text(text, length));
	return fxt_pf_put(w->g, &r, ns, w->cpu->provider);
}

int fxt_pf_cursor_full(struct fxt_pf_cursor *w)
{
	const Pf__FtraceEvent *e = w->bundle->event[w->full++];
	__u64 ns = fxt_pf_cursor_ns(w, e->timestamp);

	if (e->sched_switch)
		return switch_full(w, e->sched_switch, ns);
	if (e->sched_waking)
		return wakeup_full(w, e, e->sched_waking, ns);
	if (e->sched_wakeup_new)
		return wakeup_full(w, e, e->sched_wakeup_new, ns);
	if (e->task_newtask)
		return newtask(w, e, ns);
	if (e->task_rename)
		return renamed(w, e->task_rename, ns);
	if (e->print)
		return print_put(w, e, ns);
	fxt_note(&w->g->c->skipped, e->sched_wakeup ? "sched_wakeup events (sched_waking tells more)" :
		 "ftrace events of other kinds", 1);
	return 0;
}
