// SPDX-License-Identifier: GPL-2.0-only
/* Reads records of perf, as perf script prints them: threads, switches, losses. */
#include <errno.h>
#include <string.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"

/* Reads "A/B" or "A:B". */
static bool pair(struct fxt_span *s, const char *between, __u32 *a, __u32 *b)
{
	return fxt_span_u32(s, a) && fxt_span_skip(s, between) && fxt_span_u32(s, b);
}

/* Reads ": NAME:PID/TID" or " exec: NAME:PID/TID"; a name may have a colon. */
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
	if (!tid || tid > FXT_FEED_TID_MAX || pid > FXT_FEED_TID_MAX)
		return 0;
	return fxt_feed_named(&p->feed, &line->head, tid, pid, name);
}

/* Reads "(PID:TID):(PARENT'S PID:PARENT'S TID)". */
static int fork_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__u32 pid, tid, parent_pid, parent;

	if (!fxt_span_skip(&s, "(") || !pair(&s, ":", &pid, &tid) || !fxt_span_skip(&s, "):(") ||
	    !pair(&s, ":", &parent_pid, &parent))
		return 1;
	return fxt_feed_forked(&p->feed, line->head.ns, pid, tid, parent);
}

static int exit_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__u32 pid, tid;

	if (!fxt_span_skip(&s, "(") || !pair(&s, ":", &pid, &tid))
		return 1;
	return fxt_feed_call_lost(&p->feed, tid, &line->head);
}

/* Reads " OUT preempt  next pid/tid:    15/15" or " IN           prev pid/tid:    15/15". */
static int switch_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_feed_cpu *cpu = line->head.no_cpu ? NULL : fxt_feed_cpu(&p->feed, line->head.cpu);
	struct fxt_span s = line->fields;
	__u32 pid, next = FXT_FEED_TID_NONE;
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
	return fxt_feed_switched(&p->feed, &line->head, next, preempted);
}

/* Reads " lost 123". */
static int lost_read(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__u64 count;

	fxt_span_skip_spaces(&s);
	if (!fxt_span_skip(&s, "lost ") || !fxt_span_number(&s, &count))
		return 1;
	if (!line->head.no_cpu)
		return fxt_feed_lost(&p->feed, line->head.cpu, count);
	fxt_skip(p->feed.c, "events that perf lost on CPUs that it doesn't say", count);
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
	fxt_skip(p->feed.c, "other records of perf", 1);
	return 0;
}
