/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on the kernel's functions that throttle control groups and threads. */
#ifndef FXT_KMOD_THROTTLE_H
#define FXT_KMOD_THROTTLE_H

#include <linux/types.h>

#include "fxt/throttle.h"

struct task_struct;

struct fxtrec_throttle;

/*
 * Registers the requested probes (NULL: none), and sets the kind that is recorded:
 * FXT_THROTTLING_UNKNOWN where the kernel has no such functions.  Returns 0 or -EINVAL.
 */
int fxt_throttle_register(struct fxtrec_throttle *throttle);
void fxt_throttle_unregister(void);

/* Returns the id of a task's group of the controller "cpu"; 0 where no throttling needs it. */
u64 fxt_cgroup_id(const struct task_struct *task);

#endif
