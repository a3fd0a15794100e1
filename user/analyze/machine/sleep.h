/* SPDX-License-Identifier: GPL-2.0-only */
/* The reason of a thread's sleep in words. */
#ifndef FXT_ANALYZE_MACHINE_SLEEP_H
#define FXT_ANALYZE_MACHINE_SLEEP_H

#include "analyze/machine/machine.h"

#define FXT_SLEEP_TEXT_BYTES	(FXT_TASK_NAME_BYTES + FXT_WAIT_OBJECT_BYTES + FXT_SYSCALL_ROOM + 64u)

/*
 * Returns the thread that held the lock, or that the sleeper joins, in a thread's last sleep, which started at ns; NULL:
 * not known, or no event has named that thread so far.
 */
static inline const struct fxt_task *fxt_sleep_holder(const struct fxt_machine *m, const struct fxt_task *task, __u64 ns)
{
	const struct fxt_task *holder = task->reason.holder ? fxt_tasks_get(&m->tasks, task->reason.holder) : NULL;

	/* The id may be another thread's by now. */
	return holder && holder->begin <= ns ? holder : NULL;
}

/*
 * Writes "fsync of file 8:1 inode 12", "futex 0x7f40", "end of worker:123", "flock", or "unknown call".  holder: thread of
 * the reason's holder; NULL: not known.  Returns text.
 */
const char *fxt_sleep_write(const struct fxt_machine *m, char *text, size_t room, const struct fxt_sleep_reason *reason,
			    const struct fxt_task *holder);

/*
 * Keeps a text that ends with the object of a reason, or has another text after it.  Returns the kept text, which has one
 * address; NULL: -ENOMEM.
 */
const char *fxt_sleep_keep(struct fxt_machine *m, const char *text, const struct fxt_sleep_reason *reason);

/*
 * Returns a kept text with the name of its object, after the machine's last record: "fsync of /srv/db (file 8:1 inode
 * 12)"; the text itself if it has none, or is any other text.
 */
const char *fxt_sleep_named(struct fxt_machine *m, const char *text);
#define FXT_SLEEP_NAMED_BYTES	(2 * FXT_SLEEP_TEXT_BYTES + FXT_WAIT_NAME_BYTES)

#endif
