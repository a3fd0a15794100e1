/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the control group of a process, and the container that the process is in. */
#ifndef FXT_DESCRIBE_CGROUP_H
#define FXT_DESCRIBE_CGROUP_H

#include <limits.h>
#include <stdbool.h>

/* Digits of a container's id in the short form. */
#define FXT_CONTAINER_SHORT	12

struct fxt_cgroup {
	char path[PATH_MAX];	/* "" for the root group */
	char cpu[PATH_MAX];	/* path in the hierarchy of the controller "cpu"; "" for the root group */
	bool cpu_legacy;	/* that hierarchy is of version 1 */
	char container[FXT_CONTAINER_SHORT + 1];	/* "" without a container */
};

/*
 * Reads the groups of the process with that folder in /proc.  path is the path in the version 2 hierarchy, or, for that hierarchy's root, the longest of the version 1 paths.  container is taken from the version 2 path if it names one,
 * else from another path.
 */
void fxt_cgroup_read(struct fxt_cgroup *cgroup, const char *folder);

#endif
