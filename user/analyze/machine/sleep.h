/* SPDX-License-Identifier: GPL-2.0-only */
/* The reason of a thread's sleep in words. */
#ifndef FXT_ANALYZE_MACHINE_SLEEP_H
#define FXT_ANALYZE_MACHINE_SLEEP_H

#include "analyze/machine/machine.h"

#define FXT_SLEEP_TEXT_BYTES	(FXT_TASK_NAME_BYTES + FXT_WAIT_OBJECT_BYTES + FXT_SYSCALL_ROOM + 64u)

/* Writes "fsync of file 8:1 inode 12", "futex 0x7f40", "end of worker:123", "flock", or "unknown call".  Returns text. */
const char *fxt_sleep_write(const struct fxt_machine *m, char *text, size_t room, const struct fxt_task *task);

#endif
