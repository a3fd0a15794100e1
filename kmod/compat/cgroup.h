/* SPDX-License-Identifier: GPL-2.0-only */
/* Control groups; a kernel that is built without them has no thread in any group. */
#ifndef FXT_COMPAT_CGROUP_H
#define FXT_COMPAT_CGROUP_H

#ifdef CONFIG_CGROUPS
#include <linux/cgroup.h>
#include <trace/events/cgroup.h>
#else
#include <linux/err.h>
#include <linux/sched.h>

static inline struct cgroup *cgroup_get_from_fd(int fd)
{
	return ERR_PTR(-EBADF);
}

static inline void cgroup_put(struct cgroup *cgroup)
{
}

static inline struct cgroup *task_dfl_cgroup(struct task_struct *task)
{
	return NULL;
}

static inline bool cgroup_is_descendant(struct cgroup *cgroup, struct cgroup *ancestor)
{
	return false;
}

static inline void check_trace_callback_type_cgroup_attach_task(
	void (*probe)(void *data, struct cgroup *to, const char *path, struct task_struct *leader,
		      bool threadgroup))
{
}
#endif

#endif
