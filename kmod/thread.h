/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of threads: probes on creation and renaming. */
#ifndef FXT_KMOD_THREAD_H
#define FXT_KMOD_THREAD_H

#include "env.h"
#include "fxt/thread.h"

struct task_struct;

/* Writes the records that name the task comm; returns their bytes. */
u32 fxt_thread_write(u64 *w, const struct task_struct *task, const char *comm, u64 name_valid_from);

int fxt_thread_register(void);
void fxt_thread_unregister(void);

#endif
