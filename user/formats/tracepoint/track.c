// SPDX-License-Identifier: GPL-2.0-only
/* Reads tracepoints of a CPU: its interrupts and its power states. */
#include "formats/tracepoint/kind.h"

int fxt_tp_read_irq_entry(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_span name;
	__s64 irq;

	if (!fxt_tp_number(e, 0, &irq) || !fxt_tp_text(rd, e, 1, &name))
		return 1;
	return fxt_feed_irq_begin(&rd->feed, &e->head, irq, name);
}

int fxt_tp_read_irq_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 irq, ret;

	if (!fxt_tp_number(e, 0, &irq) || !fxt_tp_number(e, 1, &ret))
		return 1;
	return fxt_feed_irq_end(&rd->feed, &e->head, irq, ret);
}

int fxt_tp_read_softirq_entry(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 vec;

	return fxt_tp_number(e, 0, &vec) ? fxt_feed_softirq_begin(&rd->feed, &e->head, vec) : 1;
}

int fxt_tp_read_softirq_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return fxt_feed_softirq_end(&rd->feed, &e->head);
}

/* Reads the start or end of a timer's callback, which is an instant event, too. */
int fxt_tp_read_timer(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	fxt_feed_timer(&rd->feed, &e->head, fxt_span(e->tp->name, strlen(e->tp->name)));
	return fxt_tp_read_other(rd, e);
}

static int power(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, bool idle)
{
	__s64 state;
	__u32 cpu;

	if (!fxt_tp_number(e, 0, &state) || !fxt_tp_cpu(e, 1, &cpu))
		return 1;
	return fxt_feed_power(&rd->feed, &e->head, idle, cpu, state);
}

int fxt_tp_read_idle(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return power(rd, e, true);
}

int fxt_tp_read_frequency(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return power(rd, e, false);
}
