// SPDX-License-Identifier: GPL-2.0-only
/* Turns events of a bundle into slices of handlers, softirqs and system calls, and into counters of CPUs. */
#include <stdio.h>

#include "formats/perfetto/read/bundle_cursor.h"
#include "fxt/events.h"
#include "model/syscall_names.h"

/* Builds an event on a track of the CPU; its process is known where the file names the track. */
static void track_event(struct fxt_pf_cursor *cur, struct fxt_record *r, enum fxt_event_type type, __u64 ns,
			__u32 track, const char *category, struct fxt_text name)
{
	__u64 koid = FXT_KOID_TRACK(cur->cpu->cpu, track), process = fxt_pf_process_of(cur->rd, koid);

	fxt_build_event(r, type, ns, process ? process : koid, koid, fxt_build_string(category), name);
}

/* Names the track where the file doesn't, as in Perfetto's own files. */
static int track_named(struct fxt_pf_cursor *cur, __u32 track)
{
	__u64 koid = FXT_KOID_TRACK(cur->cpu->cpu, track);
	char name[32];

	if (cur->cpu->tracks_named & 1u << track)
		return 0;
	cur->cpu->tracks_named |= 1u << track;
	if (fxt_pf_thread_known(cur->rd, koid))
		return 0;
	snprintf(name, sizeof(name), "cpu %u %s", cur->cpu->cpu, track == FXT_TRACK_IRQ ? "irq" : "softirq");
	return fxt_pf_thread_named(cur->rd, koid, 0, name, NULL);
}

static int put(struct fxt_pf_cursor *cur, struct fxt_record *r, __u64 ns, __u32 track)
{
	int err = track_named(cur, track);

	return err ? err : fxt_pf_put(cur->rd, r, ns, cur->cpu->provider);
}

static int handler_begin(struct fxt_pf_cursor *cur, const Pf__IrqHandlerEntry *entry, __u64 ns)
{
	struct fxt_pf_cpu_reader *cpu = cur->cpu;
	const char *name = entry->name ? entry->name : "";
	struct fxt_record r;

	snprintf(cpu->handler, sizeof(cpu->handler), "%s", name);
	track_event(cur, &r, FXT_EVENT_DURATION_BEGIN, ns, FXT_TRACK_IRQ, "irq", fxt_build_string(cpu->handler));
	fxt_build_arg_int(&r, fxt_build_string("irq"), entry->irq);
	return put(cur, &r, ns, FXT_TRACK_IRQ);
}

/* Ends a handler; without a number, it closes a handler that lost its end. */
static int handler_end(struct fxt_pf_cursor *cur, const Pf__IrqHandlerExit *end, __u64 ns)
{
	bool whole = end->has_irq || end->has_ret;
	struct fxt_record r;

	track_event(cur, &r, FXT_EVENT_DURATION_END, ns, FXT_TRACK_IRQ, whole ? "irq" : "",
		    fxt_build_string(whole ? cur->cpu->handler : ""));
	if (whole) {
		fxt_build_arg_int(&r, fxt_build_string("irq"), end->irq);
		fxt_build_arg_int(&r, fxt_build_string("ret"), end->ret);
	}
	return put(cur, &r, ns, FXT_TRACK_IRQ);
}

static int softirq(struct fxt_pf_cursor *cur, const Pf__Softirq *softirq, bool begins, __u64 ns)
{
	const char *name = fxt_pf_softirq(softirq->vec);
	bool whole = begins || softirq->has_vec;
	struct fxt_record r;

	track_event(cur, &r, begins ? FXT_EVENT_DURATION_BEGIN : FXT_EVENT_DURATION_END, ns, FXT_TRACK_SOFTIRQ,
		    whole ? "irq" : "", fxt_build_string(!whole ? "" : name ? name : "unknown softirq"));
	return put(cur, &r, ns, FXT_TRACK_SOFTIRQ);
}

static int counter(struct fxt_pf_cursor *cur, const Pf__CpuState *state, const char *name, bool idle, __u64 ns)
{
	struct fxt_record r;

	track_event(cur, &r, FXT_EVENT_COUNTER, ns, FXT_TRACK_IRQ, "power", fxt_build_string(name));
	r.event.id = state->cpu_id;
	if (idle)
		fxt_build_arg_int(&r, fxt_build_string("state"), (__s32)state->state);
	else
		fxt_build_arg_uint(&r, fxt_build_string("state"), state->state);
	return put(cur, &r, ns, FXT_TRACK_IRQ);
}

static int system_call(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns)
{
	__u64 process = fxt_pf_process_of(cur->rd, e->pid);
	__s64 id = e->sys_enter ? e->sys_enter->id : e->sys_exit->id;
	char room[FXT_SYSCALL_ROOM];
	struct fxt_record r;

	if (id < 0 || id >= FXT_SYSCALLS_MAX)
		snprintf(room, sizeof(room), "unknown system call");
	fxt_build_event(&r, e->sys_enter ? FXT_EVENT_DURATION_BEGIN : FXT_EVENT_DURATION_END, ns,
			process ? process : e->pid, e->pid, fxt_build_string("syscalls"),
			fxt_build_string(id < 0 || id >= FXT_SYSCALLS_MAX ? room :
					 fxt_syscall_name_of(cur->rd->feed.names, id, room)));
	if (e->sys_exit && e->sys_exit->has_ret)
		fxt_build_arg_int(&r, fxt_build_string("ret"), e->sys_exit->ret);
	return fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

/* Feeds an event of a file that others wrote, which may lack starts and ends, as ftrace's text does. */
static int foreign_put(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns)
{
	const char *name = e->irq_handler_entry && e->irq_handler_entry->name ? e->irq_handler_entry->name : "";
	const Pf__CpuState *state = e->cpu_idle ? e->cpu_idle : e->cpu_frequency;
	struct fxt_feed_event head;
	struct fxt_feed *f;
	int err = fxt_pf_feed(cur, e->pid, ns, &head);

	if (err)
		return err;
	f = &cur->rd->feed;
	if (e->irq_handler_entry)
		return fxt_feed_irq_begin(f, &head, e->irq_handler_entry->irq, fxt_span(name, strlen(name)));
	if (e->irq_handler_exit)
		return fxt_feed_irq_end(f, &head, e->irq_handler_exit->irq, e->irq_handler_exit->ret);
	if (e->softirq_entry)
		return fxt_feed_softirq_begin(f, &head, e->softirq_entry->vec);
	if (e->softirq_exit)
		return fxt_feed_softirq_end(f, &head);
	if (e->sys_enter)
		return fxt_feed_call_put(f, &head, e->sys_enter->id, NULL);
	if (e->sys_exit) {
		const __s64 ret = e->sys_exit->ret;

		return fxt_feed_call_put(f, &head, e->sys_exit->has_id ? e->sys_exit->id : -1, &ret);
	}
	return fxt_feed_power(f, &head, e->cpu_idle, state->cpu_id, state->state);
}

static bool is_kernel(const Pf__FtraceEvent *e)
{
	return e->irq_handler_entry || e->irq_handler_exit || e->softirq_entry || e->softirq_exit || e->sys_enter ||
	       e->sys_exit || e->cpu_idle || e->cpu_frequency;
}

int fxt_pf_cursor_kernel(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns)
{
	int err;

	if (!cur->ours && is_kernel(e)) {
		err = foreign_put(cur, e, ns);
		return err ? err : 1;
	}
	if (e->irq_handler_entry)
		err = handler_begin(cur, e->irq_handler_entry, ns);
	else if (e->irq_handler_exit)
		err = handler_end(cur, e->irq_handler_exit, ns);
	else if (e->softirq_entry)
		err = softirq(cur, e->softirq_entry, true, ns);
	else if (e->softirq_exit)
		err = softirq(cur, e->softirq_exit, false, ns);
	else if (e->sys_enter || e->sys_exit)
		err = system_call(cur, e, ns);
	else if (e->cpu_idle)
		err = counter(cur, e->cpu_idle, "cpu_idle", true, ns);
	else if (e->cpu_frequency)
		err = counter(cur, e->cpu_frequency, "cpu_frequency", false, ns);
	else
		/* In fxtrec's files it repeats the event "blocked". */
		return e->sched_blocked_reason && cur->ours ? 1 : 0;
	return err ? err : 1;
}
