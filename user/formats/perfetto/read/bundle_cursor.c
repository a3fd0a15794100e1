// SPDX-License-Identifier: GPL-2.0-only
/* Turns events of a bundle into records: those that are not in the compact form. */
#include <stdio.h>

#include "convert/skip.h"
#include "formats/perfetto/read/bundle_cursor.h"
#include "model/reason_text.h"

__u64 fxt_pf_cursor_ns(const struct fxt_pf_cursor *cur, __u64 time)
{
	return fxt_pf_ns(cur->rd, NULL, cur->clock, time + cur->shift);
}

/* Reads the reason of the outgoing thread's sleep from the event that fxtrec writes after a switch. */
static int reason_read(struct fxt_pf_cursor *cur, struct fxt_switch_view *v)
{
	const Pf__FtraceEvent *e = cur->full < cur->bundle->n_event ? cur->bundle->event[cur->full] : NULL;
	const Pf__SchedBlockedReason *reason = e && e->timestamp == cur->last_time ? e->sched_blocked_reason : NULL;

	if (!cur->ours || !reason || !reason->fxtrec_reason || (__u32)reason->pid != v->prev ||
	    fxt_reason_parse(&v->reason, reason->fxtrec_reason, strlen(reason->fxtrec_reason)))
		return 0;
	return fxt_pf_bad(cur->rd, "a reason of a sleep is malformed");
}

int fxt_pf_cursor_switch(struct fxt_pf_cursor *cur, struct fxt_switch_view *v, __u64 ns)
{
	struct fxt_pf_cpu_reader *cpu = cur->cpu;
	struct fxt_record r;
	int err = reason_read(cur, v);

	if (err)
		return err;
	cpu->running_known = true;
	cpu->running = v->next;
	cpu->running_prio = v->next_prio;
	fxt_feed_handlers_end(&cur->rd->feed, cpu->cpu);
	fxt_switch_view_put(v, &r, ns);
	return fxt_pf_put(cur->rd, &r, ns, cpu->provider);
}

int fxt_pf_cursor_wakeup(struct fxt_pf_cursor *cur, const struct fxt_wakeup_view *v, __u64 ns)
{
	struct fxt_record r;

	fxt_wakeup_view_put(v, &r, ns);
	return fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

int fxt_pf_cursor_named(struct fxt_pf_cursor *cur, __u32 tid, const char *name, __u64 ns)
{
	ns -= !cur->ours && ns;
	return name && *name && tid ? fxt_pf_thread_named(cur->rd, tid, 0, name, &ns) : 0;
}

static int switch_full(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns)
{
	const Pf__SchedSwitch *sw = e->sched_switch;
	enum fxt_unchosen unchosen = FXT_PF_UNCHOSEN(e->common_flags);
	struct fxt_switch_view v = {
		.cpu = cur->cpu->cpu,
		.prev = (__u32)sw->prev_pid,
		.prev_prio = sw->prev_prio,
		.next = (__u32)sw->next_pid,
		.next_prio = sw->next_prio,
		.unchosen = unchosen,
	};
	int err = fxt_pf_cursor_named(cur, v.prev, sw->prev_comm, ns);

	if (!err)
		err = fxt_pf_cursor_named(cur, v.next, sw->next_comm, ns);
	fxt_switch_view_prev_state_set(&v, sw->prev_state, cur->states);
	return err ? err : fxt_pf_cursor_switch(cur, &v, ns);
}

static int wakeup_full(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, const Pf__SchedWakeup *wakeup,
		       __u64 ns)
{
	struct fxt_wakeup_view v = {
		.cpu = cur->cpu->cpu,
		.new = e->sched_wakeup_new,
		.thread = (__u32)wakeup->pid,
		.prio = wakeup->prio,
		.target = (__u16)wakeup->target_cpu,
		.waker = e->pid,
		.waker_known = e->has_pid && !(e->common_flags & FXT_PF_FLAG_NO_WAKER),
		.on_cpu = e->common_flags & FXT_PF_FLAG_ON_CPU,
		.context = fxt_pf_cursor_context(cur, e->common_flags, e->pid),
	};
	int err = fxt_pf_cursor_named(cur, v.thread, wakeup->comm, ns);

	return err ? err : fxt_pf_cursor_wakeup(cur, &v, ns);
}

static int migrate(struct fxt_pf_cursor *cur, const Pf__SchedMigrateTask *task, __u64 ns)
{
	struct fxt_migrate_view v = {
		.cpu = cur->cpu->cpu,
		.thread = (__u32)task->pid,
		.prio = task->prio,
		.from = (__u16)task->orig_cpu,
		.to = (__u16)task->dest_cpu,
	};
	int err = fxt_pf_cursor_named(cur, v.thread, task->comm, ns);
	struct fxt_record r;
	char name[32];

	fxt_migrate_view_put(&v, &r, ns);
	if (!err && !cur->cpu->migrations_named) {
		cur->cpu->migrations_named = true;
		snprintf(name, sizeof(name), "cpu %u migrations", v.cpu);
		err = fxt_pf_thread_known(cur->rd, r.thread.thread) ? 0 :
		      fxt_pf_thread_named(cur->rd, r.thread.thread, 0, name, NULL);
	}
	if (fxt_pf_process_of(cur->rd, r.thread.thread))
		r.thread.process = fxt_pf_process_of(cur->rd, r.thread.thread);
	return err ? err : fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

static int renamed(struct fxt_pf_cursor *cur, const Pf__TaskRename *task, __u64 ns)
{
	__u32 pid = task->pid;
	const char *name = task->newcomm ? task->newcomm : "";
	int err = fxt_pf_thread_named(cur->rd, pid, 0, name, &ns);

	if (!err && fxt_pf_process_of(cur->rd, pid) == pid)
		err = fxt_pf_process_named(cur->rd, pid, name, &ns);
	return err;
}

int fxt_pf_cursor_full(struct fxt_pf_cursor *cur)
{
	const Pf__FtraceEvent *e = cur->bundle->event[cur->full++];
	__u64 ns = fxt_pf_cursor_ns(cur, e->timestamp);
	int err;

	if (e->sched_switch)
		return switch_full(cur, e, ns);
	if (e->sched_waking && e->common_flags & FXT_PF_FLAG_REPEATED)
		return 0;
	if (e->sched_waking)
		return wakeup_full(cur, e, e->sched_waking, ns);
	if (e->sched_wakeup_new)
		fxt_pf_newtask_woken(cur->rd, e->sched_wakeup_new->pid);
	if (e->sched_wakeup_new)
		return wakeup_full(cur, e, e->sched_wakeup_new, ns);
	if (e->sched_migrate_task)
		return migrate(cur, e->sched_migrate_task, ns);
	if (e->task_newtask)
		return fxt_pf_newtask_read(cur, e, ns);
	if (e->task_rename)
		return renamed(cur, e->task_rename, ns);
	if (e->print)
		return fxt_pf_print(cur, e->pid, e->print->buf ? e->print->buf : "", ns);
	err = fxt_pf_cursor_kernel(cur, e, ns);
	if (err)
		return err < 0 ? err : 0;
	if (!e->sched_wakeup)
		return fxt_pf_cursor_other(cur, e, ns);
	fxt_skip(cur->rd->c, "sched_wakeup events (sched_waking is used)", 1);
	return 0;
}
