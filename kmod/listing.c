// SPDX-License-Identifier: GPL-2.0-only
/* The listing of all threads as FXT records, read from the device. */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "clock.h"
#include "listing.h"
#include "recording.h"
#include "thread.h"

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

/* False if there are more threads than fit into room bytes. */
static bool fill(struct fxt_listing *listing, size_t room)
{
	struct task_struct *process, *task;
	bool whole = true;

	listing->bytes = 0;
	rcu_read_lock();
	for_each_process_thread(process, task) {
		char comm[TASK_COMM_LEN];

		if (room - listing->bytes < FXT_THREAD_BYTES_MAX) {
			whole = false;
			goto out;
		}
		strscpy(comm, task->comm, sizeof(comm));
		listing->bytes += fxt_thread_write(listing->records + listing->bytes, task, comm,
						   fxt_clock());
	}
out:
	rcu_read_unlock();
	return whole;
}

int fxt_listing_take(struct fxt_listing *listing)
{
	size_t room;

	lockdep_assert_held(&fxt_recording_lock);
	/* Try again if more threads were created than the reserve has room for. */
	do {
		fxt_listing_free(listing);
		room = (thread_count() * 5 / 4 + 64) * FXT_THREAD_BYTES_MAX;
		listing->records = kvmalloc(room, GFP_KERNEL);
		if (!listing->records)
			return -ENOMEM;
	} while (!fill(listing, room));
	return 0;
}

void fxt_listing_free(struct fxt_listing *listing)
{
	kvfree(listing->records);
	*listing = (struct fxt_listing){};
}
