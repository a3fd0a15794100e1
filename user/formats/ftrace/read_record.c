// SPDX-License-Identifier: GPL-2.0-only
/* Records of perf: threads, switches, losses, samples that are no tracepoints; and as perf script prints them. */
#include <errno.h>
#include <string.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"

/* Those without a time were there before: perf names them. */
static int parents_name(struct fxt_ftrace_parser *p, __u64 ns, __u32 tid, __u32 parent)
{
	const struct fxt_ftrace_task *t = ns ? fxt_ftrace_task(p, parent) : NULL;
	char name[256];
	size_t length = t ? t->name_bytes : 0;
	struct fxt_ftrace_task *child;

	if (!length)
		return 0;
	/* The child's table may take the place of the parent's in memory. */
	memcpy(name, t->name, length);
	child = fxt_ftrace_task(p, tid);
	return child ? fxt_ftrace_task_name(p, child, fxt_span(name, length), ns, true) : -E2BIG;
}

int fxt_ftrace_forked(struct fxt_ftrace_parser *p, __u64 ns, __u32 process, __u32 tid, __u32 parent)
{
	struct fxt_ftrace_task *t;
	int err;

	if (!tid || tid > FXT_FTRACE_TID_MAX || process > FXT_FTRACE_TID_MAX)
		return 0;
	t = fxt_ftrace_task(p, tid);
	err = t ? fxt_ftrace_task_process(p, t, process, ns) : -E2BIG;
	return err || parent > FXT_FTRACE_TID_MAX ? err : parents_name(p, ns, tid, parent);
}

/*
 * Priorities are not known.  A thread that has ended has no id any more, though it still runs: it is the one that
 * came to the CPU, or where it comes without an id, nothing says what the CPU runs.
 */
int fxt_ftrace_switched(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 next, bool preempted)
{
	struct fxt_ftrace_cpu *cpu = fxt_ftrace_cpu(p, line->cpu);
	struct fxt_switch_view view = { .cpu = line->cpu, .prev = line->tid, .prev_prio = FXT_PRIO_DEFAULT,
					.next_prio = FXT_PRIO_DEFAULT, .state = FXT_LINUX_S,
					.next = next <= FXT_FTRACE_TID_MAX ? next : 0 };

	if (!cpu)
		return -ENOMEM;
	if (line->nobody)
		view.prev = cpu->incoming;
	if (next > FXT_FTRACE_TID_MAX)
		p->unchosen = FXT_UNCHOSEN_INCOMING;
	cpu->incoming = view.next;
	if (preempted || !view.prev)
		view.state = FXT_LINUX_R;
	view.preempted = view.prev && view.state == FXT_LINUX_R;
	return fxt_ftrace_switch_put(p, line, &view, fxt_span("", 0), fxt_span("", 0));
}

int fxt_ftrace_sampled(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, struct fxt_span stack)
{
	struct fxt_ftrace_task *t = fxt_ftrace_task(p, line->tid);

	if (!t)
		return -E2BIG;
	fxt_build_event(&p->r, FXT_EVENT_INSTANT, line->ns, fxt_ftrace_process_of(t), line->tid,
			fxt_build_string("perf"), fxt_span_text(line->event));
	if (line->has_period)
		fxt_build_arg_uint(&p->r, fxt_build_string("period"), line->period);
	if (stack.bytes)
		fxt_build_arg_string(&p->r, fxt_build_string("stack"), fxt_span_text(stack));
	return line->no_cpu ? fxt_ftrace_put_at(p, line->ns, p->provider) : fxt_ftrace_put_on(p, line->ns, line->cpu);
}

/* "A/B", "A:B" */
static bool pair(struct fxt_span *s, const char *between, __u32 *a, __u32 *b)
{
	return fxt_span_u32(s, a) && fxt_span_skip(s, between) && fxt_span_u32(s, b);
}

/* ": NAME:PID/TID", " exec: NAME:PID/TID"; a name may have a colon. */
static int comm_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span name = line->fields, ids;
	const char *colon;
	__u32 pid, tid;

	fxt_span_skip(&name, " exec");
	if (!fxt_span_skip(&name, ": "))
		return 1;
	colon = memrchr(name.at, ':', name.bytes);
	if (!colon)
		return 1;
	ids = fxt_span(colon + 1, name.at + name.bytes - colon - 1);
	name.bytes = colon - name.at;
	if (!pair(&ids, "/", &pid, &tid))
		return 1;
	if (!tid || tid > FXT_FTRACE_TID_MAX || pid > FXT_FTRACE_TID_MAX)
		return 0;
	return fxt_ftrace_named(p, line, tid, pid, name);
}

/* "(PID:TID):(PARENT'S PID:PARENT'S TID)" */
static int fork_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__u32 pid, tid, parent_pid, parent;

	if (!fxt_span_skip(&s, "(") || !pair(&s, ":", &pid, &tid) || !fxt_span_skip(&s, "):(") ||
	    !pair(&s, ":", &parent_pid, &parent))
		return 1;
	return fxt_ftrace_forked(p, line->ns, pid, tid, parent);
}

static int exit_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__u32 pid, tid;

	if (!fxt_span_skip(&s, "(") || !pair(&s, ":", &pid, &tid))
		return 1;
	return fxt_ftrace_call_lost(p, tid, line);
}

/* " OUT preempt  next pid/tid:    15/15", " IN           prev pid/tid:    15/15" */
static int switch_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_ftrace_cpu *cpu = line->no_cpu ? NULL : fxt_ftrace_cpu(p, line->cpu);
	struct fxt_span s = line->fields;
	__u32 pid, next = FXT_FTRACE_TID_NONE;
	bool preempted;

	if (!fxt_span_skip(&s, " OUT") || p->switches || !cpu || cpu->switched)
		return 0;
	preempted = fxt_span_skip(&s, " preempt");
	fxt_span_skip_spaces(&s);
	if (!fxt_span_skip(&s, "next pid/tid:"))
		return 1;
	fxt_span_skip_spaces(&s);
	if (!fxt_span_u32(&s, &pid) && !fxt_span_skip(&s, "-1"))
		return 1;
	if (!fxt_span_skip(&s, "/") || (!fxt_span_skip(&s, "-1") && !fxt_span_u32(&s, &next)))
		return 1;
	return fxt_ftrace_switched(p, line, next, preempted);
}

/* " lost 123" */
static int lost_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__u64 count;

	fxt_span_skip_spaces(&s);
	if (!fxt_span_skip(&s, "lost ") || !fxt_span_number(&s, &count))
		return 1;
	if (!line->no_cpu)
		return fxt_ftrace_lost(p, line->cpu, count);
	fxt_skip(p->c, "events that perf lost on CPUs that it doesn't say", count);
	return 0;
}

int fxt_ftrace_read_record(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	static const struct {
		const char *name;
		int (*read)(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
	} kinds[] = {
		{ "COMM", comm_read }, { "FORK", fork_read }, { "EXIT", exit_read },
		{ "SWITCH_CPU_WIDE", switch_read }, { "LOST", lost_read }, { "LOST_SAMPLES", lost_read },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (fxt_span_is(line->event, kinds[i].name))
			return kinds[i].read(p, line);
	fxt_skip(p->c, "other records of perf", 1);
	return 0;
}
