// SPDX-License-Identifier: GPL-2.0-only
/* Reads scheduling tracepoints: switches, wakeups, migrations. */
#include "formats/tracepoint/kind.h"

/* Puts the reason why a thread goes to sleep, right before its switch, as record --stacks does. */
static int blocked(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, const struct fxt_switch_view *view)
{
	struct fxt_feed *f = &rd->feed;
	int err;

	if (view->preempted || view->state == FXT_LINUX_R || view->state == FXT_LINUX_Z ||
	    view->state == FXT_LINUX_X)
		return 0;
	err = fxt_feed_start(f, FXT_EVENT_INSTANT, e->head.ns, view->prev, fxt_build_string("sched"),
			     fxt_build_string("blocked"));
	if (err)
		return err;
	fxt_build_arg_string(&f->r, fxt_build_string("function"), fxt_span_text(e->function));
	fxt_build_arg_string(&f->r, fxt_build_string("stack"), fxt_span_text(e->stack));
	return fxt_feed_put_on(f, e->head.ns, e->head.cpu);
}

int fxt_tp_read_switch(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_switch_view view = { .cpu = e->head.cpu };
	struct fxt_span prev_comm, next_comm;
	__u32 prev, next;
	__s64 state;
	int err = 0;

	if (!fxt_tp_text(rd, e, 0, &prev_comm) || !fxt_tp_tid(e, 1, &prev) ||
	    !fxt_tp_priority(e, 2, &view.prev_prio) || !fxt_tp_number(e, 3, &state) ||
	    !fxt_tp_text(rd, e, 4, &next_comm) || !fxt_tp_tid(e, 5, &next) ||
	    !fxt_tp_priority(e, 6, &view.next_prio))
		return 1;
	view.prev = prev;
	view.next = next;
	fxt_switch_view_prev_state_set(&view, state, e->tp->states.known ? &e->tp->states : rd->states);
	if (e->stack.bytes)
		err = blocked(rd, e, &view);
	return err ? err : fxt_feed_switch(&rd->feed, &e->head, &view, prev_comm, next_comm);
}

static int wakeup(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, bool new)
{
	struct fxt_wakeup_view view = { .cpu = e->head.cpu, .waker = e->head.tid, .waker_known = !e->head.nobody,
					.new = new, .context = e->head.context };
	struct fxt_span comm;
	__u32 tid;

	if (!fxt_tp_text(rd, e, 0, &comm) || !fxt_tp_tid(e, 1, &tid) || !fxt_tp_priority(e, 2, &view.prio) ||
	    !fxt_tp_cpu(e, 3, &view.target))
		return 1;
	view.thread = tid;
	return fxt_feed_wakeup(&rd->feed, &e->head, &view, comm);
}

int fxt_tp_read_waking(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return wakeup(rd, e, false);
}

int fxt_tp_read_wakeup(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return rd->waking ? fxt_tp_read_other(rd, e) : wakeup(rd, e, false);
}

int fxt_tp_read_wakeup_new(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	return wakeup(rd, e, true);
}

int fxt_tp_read_migrate(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_migrate_view view = { .cpu = e->head.cpu };
	struct fxt_span comm;
	__u32 tid;

	if (!fxt_tp_text(rd, e, 0, &comm) || !fxt_tp_tid(e, 1, &tid) || !fxt_tp_priority(e, 2, &view.prio) ||
	    !fxt_tp_cpu(e, 3, &view.from) || !fxt_tp_cpu(e, 4, &view.to))
		return 1;
	view.thread = tid;
	return fxt_feed_migrate(&rd->feed, &e->head, &view, comm);
}
