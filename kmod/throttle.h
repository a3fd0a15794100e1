/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on the kernel's functions that throttle control groups and threads. */
#ifndef FXT_KMOD_THROTTLE_H
#define FXT_KMOD_THROTTLE_H

#include <linux/types.h>

#include "fxt/throttle.h"

struct task_struct;

/*
 * Registers the probes that a struct fxtrec_throttle asks for, and writes there what is recorded: nothing, where the
 * kernel has no such functions.  0 or -errno.
 */
int fxt_throttle_register(u64 address);
void fxt_throttle_unregister(void);

/* Identifies a task's group of the controller "cpu"; 0 where no throttling needs it. */
u64 fxt_cgroup_id(const struct task_struct *task);

#endif
