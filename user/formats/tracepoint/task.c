// SPDX-License-Identifier: GPL-2.0-only
/* Reads tracepoints of a thread's life: its name, its process, its end. */
#include <errno.h>

#include "formats/tracepoint/kind.h"

int fxt_tp_read_task_new(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_span name;
	__s64 flags;
	__u32 tid;

	if (!fxt_tp_tid(e, 0, &tid) || !fxt_tp_text(rd, e, 1, &name) || !fxt_tp_number(e, 2, &flags))
		return 1;
	return fxt_feed_newtask(&rd->feed, &e->head, tid, flags, name);
}

int fxt_tp_read_task_rename(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid = e->head.tid;
	struct fxt_span name;

	if ((e->tp->role[0] >= 0 && !fxt_tp_tid(e, 0, &tid)) || !fxt_tp_text(rd, e, 1, &name))
		return 1;
	if (e->tp->role[0] < 0 && e->head.nobody)
		return fxt_tp_read_other(rd, e);
	return fxt_feed_named(&rd->feed, &e->head, tid, 0, name);
}

/* Reads an entry of LTTng's list of the threads at its start. */
int fxt_tp_read_task_state(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_span name;
	__u32 tid, process;

	if (!fxt_tp_tid(e, 0, &tid) || !fxt_tp_tid(e, 1, &process) || !fxt_tp_text(rd, e, 2, &name))
		return 1;
	return fxt_feed_named(&rd->feed, &e->head, tid, process, name);
}

int fxt_tp_read_fork(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid, process = 0;
	struct fxt_span name;
	int err = 0;

	if (!fxt_tp_tid(e, 1, &tid) || (e->tp->role[2] >= 0 && !fxt_tp_tid(e, 2, &process)))
		return 1;
	if (fxt_tp_text(rd, e, 0, &name))
		err = fxt_feed_named(&rd->feed, &e->head, tid, process, name);
	return err ? err : fxt_tp_read_other(rd, e);
}

/* Reads an exec.  A thread that doesn't lead its process gets the leader's id, and leaves its call under the old id. */
int fxt_tp_read_exec(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid, old;
	int err = 0;

	if (!fxt_tp_tid(e, 0, &tid) || !fxt_tp_tid(e, 1, &old))
		return 1;
	if (tid != old)
		err = fxt_feed_call_lost(&rd->feed, old, &e->head);
	return err ? err : fxt_tp_read_other(rd, e);
}

int fxt_tp_read_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u32 tid;
	int err;

	if (!fxt_tp_tid(e, 0, &tid))
		return 1;
	err = fxt_feed_call_lost(&rd->feed, tid, &e->head);
	return err ? err : fxt_tp_read_other(rd, e);
}
