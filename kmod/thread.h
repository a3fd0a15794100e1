/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of threads: probes on creation, renaming and ends of threads. */
#ifndef FXT_KMOD_THREAD_H
#define FXT_KMOD_THREAD_H

#include "env.h"
#include "fxt/thread.h"

struct task_struct;

/* Writes the records that name the task comm.  Returns their bytes. */
u32 fxt_thread_write(u64 *w, const struct task_struct *task, const char *comm, u64 name_valid_from);

/* Names a thread again, as of now, since its group has changed. */
void fxt_thread_rename(const struct task_struct *task);

/*
 * Names a thread that leaves its CPU while it ends, if the thread was created before creations
 * were recorded: it may have left the kernel's list of threads before the list was read.
 */
void fxt_thread_end(const struct task_struct *task);

int fxt_thread_register(void);
void fxt_thread_unregister(void);

#endif
