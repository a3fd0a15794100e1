// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handles new threads of bundles: they get their parent's process, and are runnable even where the file lacks their
 * first wakeup.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/read/bundle_cursor.h"

/* A thread that may still be woken for the first time. */
struct newtask {
	bool waits;
	__u32 tid, parent, cpu;
	__u64 ns;
	int provider;
};

static int put(struct fxt_pf_reader *rd, struct newtask *t)
{
	struct fxt_wakeup_view v = { .cpu = t->cpu, .target = t->cpu, .new = true, .thread = t->tid, .prio = 120,
				     .waker = t->parent, .waker_known = true };
	struct fxt_record r;

	t->waits = false;
	fxt_wakeup_view_put(&v, &r, t->ns);
	return fxt_pf_put(rd, &r, t->ns, t->provider);
}

/* Waits for a thread's first wakeup; an earlier thread with its id that still waits has no other wakeup. */
static int wait_for(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u32 tid, __u64 ns)
{
	struct fxt_pf_reader *rd = cur->rd;
	struct newtask *t = fxt_map_get(&rd->newtasks, (__u64)tid + 1);
	int err = t && t->waits ? put(rd, t) : 0;

	if (err)
		return err;
	if (!t && *rd->state_bytes + sizeof(*t) > FXT_PF_STATE_MAX)
		return -E2BIG;
	if (!t) {
		t = fxt_map_new(&rd->newtasks, (__u64)tid + 1, sizeof(*t));
		*rd->state_bytes += sizeof(*t);
	}
	if (!t)
		return -ENOMEM;
	*t = (struct newtask){ true, tid, e->pid, cur->cpu->cpu, ns, cur->cpu->provider };
	return 0;
}

int fxt_pf_newtask_read(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns)
{
	const Pf__TaskNewtask *task = e->task_newtask;
	__u32 pid = task->pid;
	const char *name = task->comm ? task->comm : "";
	const __u32 creator = e->pid, *same = task->clone_flags & FXT_PF_CLONE_THREAD ? &creator : NULL;
	bool runs = cur->cpu->running_known && cur->cpu->running == creator;
	int err = cur->ours ? 0 : wait_for(cur, e, pid, ns);

	return err ? err : fxt_pf_newtask_named(cur->rd, pid, same, name, ns, cur->cpu->cpu, runs ? NULL : &creator);
}

void fxt_pf_newtask_woken(struct fxt_pf_reader *rd, __u32 tid)
{
	struct newtask *t = fxt_map_get(&rd->newtasks, (__u64)tid + 1);

	if (t)
		t->waits = false;
}

int fxt_pf_newtasks_put(struct fxt_pf_reader *rd)
{
	struct fxt_map_slot *sorted = fxt_map_sorted(&rd->newtasks);
	int err = rd->newtasks.count && !sorted ? -ENOMEM : 0;
	size_t i;

	for (i = 0; i < rd->newtasks.count && !err; i++) {
		struct newtask *t = sorted[i].value;

		if (t->waits)
			err = put(rd, t);
	}
	free(sorted);
	return err;
}
