/* SPDX-License-Identifier: GPL-2.0-only */
/* Names the objects that threads wait for: paths of open files, processes at the ends of pipes, addresses of sockets. */
#ifndef FXT_DESCRIBE_OBJECTS_H
#define FXT_DESCRIBE_OBJECTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "describe/namespaces.h"
#include "source/clock.h"
#include "store/map.h"

/* Limits: descriptors of a process, and objects of a round. */
#define FXT_OBJECTS_PROCESS	1024u
#define FXT_OBJECTS_ROUND	16384u

/* The objects that were named; shared by the threads that read. */
struct fxt_naming {
	pthread_mutex_t lock;
	struct fxt_map seen;	/* by kind, device, inode and name */
	size_t limit;		/* entries of seen at most */
	struct fxt_namespaces namespaces;
};

void fxt_naming_init(struct fxt_naming *named);
void fxt_naming_uninit(struct fxt_naming *named);

/* Starts a round of readings.  again: names that are known are put again. */
void fxt_naming_round(struct fxt_naming *named, bool again);

/*
 * Makes instant events "object", which the caller frees, of a process's files, pipes and Unix sockets, and of the other
 * sockets of its network namespace, unless they were named before.  Asks no file system: devices and inodes come from fdinfo and
 * mountinfo, paths from links.  Sets *cut if a limit left objects out.  -ENOMEM.
 */
int fxt_naming_read(struct fxt_naming *named, __u32 pid, enum fxt_linux_clock clock, char **records, size_t *bytes,
		   bool *cut);

#endif
