// SPDX-License-Identifier: GPL-2.0-only
/* Has an open source follow the threads that a filter selects by id. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "describe/proc.h"
#include "record/follow.h"

struct follower {
	struct fxt_source *source;
	struct fxt_error *error;
	__u32 pid;
	unsigned int living;
	int err;
};

static bool lives(__u32 tid)
{
	char state;

	/* Checks first, without /proc, whether the id exists: the ids of ended short-lived threads may be many. */
	if (kill(tid, 0) && errno == ESRCH)
		return false;
	state = fxt_proc_state(tid);
	return state && state != 'Z' && state != 'X';
}

/*
 * Has the source follow a living thread; takes that back if the thread has ended by then, as another thread may get its
 * id.
 */
static void follow_thread(__u32 tid, void *arg)
{
	struct follower *f = arg;
	const struct fxt_source_ops *ops = f->source->ops;
	char path[64];

	if (f->err || tid >= FXTREC_TIDS_MAX || !lives(tid))
		return;
	f->living++;
	f->err = ops->follow(f->source, tid, 1, f->error);
	snprintf(path, sizeof(path), "/proc/%u/task/%u", f->pid, tid);
	if (!f->err && access(path, F_OK))
		f->err = ops->follow(f->source, tid, 0, f->error);
}

/* Has the producer follow a process's threads, which it finds by itself; some kernels hide processes from eBPF. */
static void follow_process(__u32 pid, struct follower *f)
{
	int threads = f->source->ops->follow_process(f->source, pid, f->error);
	char path[32];

	f->pid = pid;
	f->err = threads < 0 ? threads : 0;
	f->living = threads > 0 ? threads : 0;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	if (!threads)
		fxt_proc_each(path, follow_thread, f);
	if (!f->err && !f->living)
		f->err = fxt_error_set(f->error, ESRCH, "process %u has ended", pid);
}

int fxt_follow(const struct fxt_filter *filter, struct fxt_source *source, pid_t command,
	       struct fxt_error *error)
{
	struct follower f = { .source = source, .error = error };
	unsigned int i;

	if (!filter)
		return 0;
	for (i = 0; i < filter->pid_count && !f.err; i++)
		follow_process(filter->pids[i], &f);
	for (i = 0; i < filter->tid_count && !f.err; i++) {
		f.pid = filter->tids[i];
		f.living = 0;
		follow_thread(filter->tids[i], &f);
		if (!f.err && !f.living)
			f.err = fxt_error_set(error, ESRCH, "thread %u has ended", filter->tids[i]);
	}
	if (!f.err && filter->only_command)
		f.err = source->ops->follow(source, command, 1, error);
	return f.err;
}

bool fxt_followed(const struct fxt_source *source, __u32 *witness)
{
	int tid = *witness;

	/* The id may belong to a thread that isn't followed by now. */
	if (tid && source->ops->followed(source, tid + 1) == tid && lives(tid))
		return true;
	/* Searches from the newest thread: where threads create others and end, the newest ones live. */
	tid = FXTREC_TIDS_MAX;
	do {
		tid = source->ops->followed(source, tid);
	} while (tid > 0 && !lives(tid));
	*witness = tid > 0 ? tid : 0;
	return tid;
}
