// SPDX-License-Identifier: GPL-2.0-only
/* Reads lines of interrupts, power states, system calls and other events, as the kernel prints their fields. */
#include <errno.h>
#include <stdint.h>

#include "formats/ftrace/read.h"

/* Reads a field's number after its key. */
static bool field(struct fxt_span *s, const char *key, __s64 *number)
{
	bool negative;
	__u64 value;

	fxt_span_skip_spaces(s);
	if (!fxt_span_skip(s, key))
		return false;
	negative = fxt_span_skip(s, "-");
	if (!fxt_span_number(s, &value) || value > INT64_MAX)
		return false;
	*number = negative ? -(__s64)value : (__s64)value;
	return true;
}

/* Reads "irq=24 name=virtio0-requests". */
static int irq_entry(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__s64 irq;

	if (!field(&s, "irq=", &irq) || !fxt_span_skip(&s, " name="))
		return 1;
	return fxt_feed_irq_begin(&p->feed, &line->head, irq, s);
}

/* Reads "irq=24 ret=handled"; raw fields are "ret=1". */
static int irq_exit(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__s64 irq;

	if (!field(&s, "irq=", &irq) || !fxt_span_skip(&s, " ret="))
		return 1;
	return fxt_feed_irq_end(&p->feed, &line->head, irq, fxt_span_is(s, "handled") || fxt_span_is(s, "1"));
}

/* Reads "vec=1 [action=TIMER]". */
static int softirq_entry(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__s64 vec;

	return field(&s, "vec=", &vec) ? fxt_feed_softirq_begin(&p->feed, &line->head, vec) : 1;
}

static int softirq_exit(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	return fxt_feed_softirq_end(&p->feed, &line->head);
}

/* Reads "state=4294967295 cpu_id=3". */
static int power(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__s64 state, cpu;

	if (!field(&s, "state=", &state) || !field(&s, "cpu_id=", &cpu) || cpu < 0 || cpu > 0xffff)
		return 1;
	return fxt_feed_power(&p->feed, &line->head, fxt_span_is(line->event, "cpu_idle"), cpu, state);
}

/* Reads "NR 0 (3, 7ffc60d13a80, 340, 0, 0, 0)"; raw fields are "id=0 args=...". */
static int call_entry(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__s64 id;

	return field(&s, "NR ", &id) || field(&s, "id=", &id) ? fxt_feed_call_number(&p->feed, &line->head, id) : 1;
}

/* Reads "NR 0 = 832" or "id=0 ret=832". */
static int call_exit(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_span s = line->fields;
	__s64 id, ret;

	return (field(&s, "NR ", &id) && field(&s, "= ", &ret)) || (field(&s, "id=", &id) && field(&s, "ret=", &ret)) ?
	       fxt_feed_call_exit(&p->feed, &line->head, ret) : 1;
}

static const struct {
	const char *event;
	int (*read)(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
} kinds[] = {
	{ "irq_handler_entry", irq_entry }, { "irq_handler_exit", irq_exit },
	{ "softirq_entry", softirq_entry }, { "softirq_exit", softirq_exit },
	{ "cpu_idle", power }, { "cpu_frequency", power },
	{ "sys_enter", call_entry }, { "sys_exit", call_exit },
	{ "task_newtask", fxt_ftrace_read_newtask }, { "task_rename", fxt_ftrace_read_rename },
};

/*
 * Reads a line of one of these kinds.  In fxtrec's own text, all but power states are instants, as they were in the
 * trace, and so are timers' events.
 */
int fxt_ftrace_read_kernel(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	size_t i;

	if (!p->feed.ours && fxt_feed_timer(&p->feed, &line->head, line->event))
		return -ENOENT;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (fxt_span_is(line->event, kinds[i].event))
			return p->feed.ours && kinds[i].read != power ? -ENOENT : kinds[i].read(p, line);
	return -ENOENT;
}

int fxt_ftrace_read_other(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_feed *f = &p->feed;
	int err = fxt_feed_start(f, FXT_EVENT_INSTANT, line->head.ns, line->head.tid, fxt_build_string("ftrace"),
				 fxt_span_text(line->event));

	if (err)
		return err;
	fxt_feed_args(&f->r, line->fields, ' ', false);
	return fxt_feed_put_on(f, line->head.ns, line->head.cpu);
}
