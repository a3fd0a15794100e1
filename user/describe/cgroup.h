/* SPDX-License-Identifier: GPL-2.0-only */
/* The control group of a process, and the container that it is in. */
#ifndef FXT_DESCRIBE_CGROUP_H
#define FXT_DESCRIBE_CGROUP_H

#include <limits.h>
#include <stdbool.h>

/* Digits of a container's id in the short form. */
#define FXT_CONTAINER_SHORT	12

struct fxt_cgroup {
	char path[PATH_MAX];	/* "" for the root of all */
	char cpu[PATH_MAX];	/* in the hierarchy of the controller "cpu"; likewise */
	bool cpu_legacy;	/* which is of version 1 */
	char container[FXT_CONTAINER_SHORT + 1];	/* "" where there is none */
};

/*
 * Of the process with that folder in /proc: the path in the hierarchy of version 2, or,
 * in the root of that, the longest of the others; of the containers that paths name,
 * that of version 2 likewise.
 */
void fxt_cgroup_read(struct fxt_cgroup *cgroup, const char *folder);

#endif
