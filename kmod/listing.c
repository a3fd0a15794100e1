// SPDX-License-Identifier: GPL-2.0-only
/* The listings of all threads as FXT records, read from the device. */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "clock.h"
#include "compat/state.h"
#include "filter.h"
#include "fxt/state.h"
#include "listing.h"
#include "recording.h"
#include "thread.h"

static u32 name_write(u64 *w, const struct task_struct *task)
{
	char comm[TASK_COMM_LEN];

	strscpy(comm, task->comm, sizeof(comm));
	return fxt_thread_write(w, task, comm, fxt_clock());
}

/* Reads the fields in the order that struct fxt_state_fields requires. */
static void fields_read(struct fxt_state_fields *f, const struct task_struct *task)
{
	f->may_delay = FXT_MAY_DELAY;
	f->on_cpu = READ_ONCE(task->on_cpu);
	smp_rmb();
	f->delayed = fxt_is_delayed(task);
	smp_rmb();
	f->queued = READ_ONCE(task->on_rq);
	smp_rmb();
	f->state = READ_ONCE(task->__state);
	f->exit_state = READ_ONCE(task->exit_state);
	f->left = data_race(task->nvcsw || task->nivcsw);
	smp_rmb();
}

static u32 state_write(u64 *w, const struct task_struct *task)
{
	u32 cpu = task_cpu(task);
	struct fxt_state_fields f;

	if (!fxt_filter_chooses(task->pid) || FXT_FILTER_QUEUE_OUT(cpu))
		return 0;
	fields_read(&f, task);
	return fxt_state_write(w, &f, fxt_clock(), task->pid, cpu);
}

/* Kinds of records by enum fxtrec_listing; write returns the bytes of a thread's records. */
static const struct kind {
	u32 (*write)(u64 *w, const struct task_struct *task);
	u32 bytes_max;
} kinds[FXTREC_LISTINGS] = {
	[FXTREC_LIST_NAMES] = { name_write, FXT_THREAD_BYTES_MAX },
	[FXTREC_LIST_STATES] = { state_write, FXT_STATE_BYTES },
};

static size_t thread_count(void)
{
	struct task_struct *process, *task;
	size_t count = 0;

	rcu_read_lock();
	for_each_process_thread(process, task)
		count++;
	rcu_read_unlock();
	return count;
}

/* Writes the records.  Returns false if there are more threads than fit into room bytes. */
static bool fill(struct fxt_listing *listing, const struct kind *kind, size_t room)
{
	struct task_struct *process, *task;
	bool whole = true;

	listing->bytes = 0;
	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (room - listing->bytes < kind->bytes_max) {
			whole = false;
			goto out;
		}
		listing->bytes += kind->write(listing->records + listing->bytes, task);
	}
out:
	rcu_read_unlock();
	return whole;
}

int fxt_listing_take(struct fxt_listing *listing, enum fxtrec_listing which)
{
	const struct kind *kind = &kinds[which];
	size_t room;

	lockdep_assert_held(&fxt_recording_lock);
	/* A filter chooses threads only while a recording runs. */
	if (which == FXTREC_LIST_STATES && fxt_recording.state != FXT_RUNNING)
		return -EINVAL;
	/* Try again if more threads were created than the margin allows for. */
	do {
		fxt_listing_free(listing);
		room = (thread_count() * 5 / 4 + 64) * kind->bytes_max;
		listing->records = kvmalloc(room, GFP_KERNEL);
		if (!listing->records)
			return -ENOMEM;
	} while (!fill(listing, kind, room));
	return 0;
}

void fxt_listing_free(struct fxt_listing *listing)
{
	kvfree(listing->records);
	*listing = (struct fxt_listing){};
}
