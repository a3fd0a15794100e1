// SPDX-License-Identifier: GPL-2.0-only
/* Has an open source follow the threads that a filter names by id. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "describe/proc.h"
#include "record/follow.h"

struct follower {
	struct fxt_source *source;
	struct fxt_error *error;
	__u8 *followed;		/* a bit a thread */
	__u32 pid;
	unsigned int fresh, living;
	int err;
};

static bool lives(__u32 tid)
{
	char state = fxt_proc_state(tid);

	return state && state != 'Z' && state != 'X';
}

/* A thread that ended in between is given up: another may get its id. */
static void follow_thread(__u32 tid, void *arg)
{
	struct follower *f = arg;
	const struct fxt_source_ops *ops = f->source->ops;
	char path[64];

	if (f->err || tid >= FXTREC_TIDS_MAX || !lives(tid))
		return;
	f->living++;
	if (f->followed[tid / 8] >> tid % 8 & 1)
		return;
	f->followed[tid / 8] |= 1 << tid % 8;
	f->fresh++;
	f->err = ops->follow(f->source, tid, 1, f->error);
	snprintf(path, sizeof(path), "/proc/%u/task/%u", f->pid, tid);
	if (!f->err && access(path, F_OK))
		f->err = ops->follow(f->source, tid, 0, f->error);
}

/* Until every thread is followed: the producer follows those that followed ones create. */
static void follow_process(__u32 pid, struct follower *f, bool no_inherit)
{
	char path[32];

	f->pid = pid;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	do {
		f->fresh = f->living = 0;
		fxt_proc_each(path, follow_thread, f);
	} while (f->fresh && !f->err && !no_inherit);
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
	f.followed = calloc(1, FXTREC_TIDS_MAX / 8);
	if (!f.followed)
		return fxt_error_set(error, ENOMEM, "no memory");
	for (i = 0; i < filter->pid_count && !f.err; i++)
		follow_process(filter->pids[i], &f, filter->no_inherit);
	for (i = 0; i < filter->tid_count && !f.err; i++) {
		f.pid = filter->tids[i];
		f.living = 0;
		follow_thread(filter->tids[i], &f);
		if (!f.err && !f.living)
			f.err = fxt_error_set(error, ESRCH, "thread %u has ended", filter->tids[i]);
	}
	if (!f.err && filter->only_command)
		f.err = source->ops->follow(source, command, 1, error);
	free(f.followed);
	return f.err;
}

bool fxt_followed(const struct fxt_source *source, __u32 *witness)
{
	int tid = *witness;

	/* Its id may have gone to a thread that isn't followed. */
	if (tid && source->ops->followed(source, tid + 1) == tid && lives(tid))
		return true;
	/* The newest first: of what begets and ends, it is what lives. */
	tid = FXTREC_TIDS_MAX;
	do {
		tid = source->ops->followed(source, tid);
	} while (tid > 0 && !lives(tid));
	*witness = tid > 0 ? tid : 0;
	return tid;
}
