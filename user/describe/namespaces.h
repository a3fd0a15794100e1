/* SPDX-License-Identifier: GPL-2.0-only */
/* The sockets of network namespaces, which are read for all processes in them, and again for a process with others. */
#ifndef FXT_DESCRIBE_NAMESPACES_H
#define FXT_DESCRIBE_NAMESPACES_H

#include <pthread.h>

#include "describe/sockets.h"
#include "store/map.h"

/* Sockets of a namespace that are read: of Unix, and of the internet. */
#define FXT_NAMESPACE_SOCKETS	4096u

struct fxt_namespaces {
	pthread_mutex_t lock;	/* held while sockets are read or used */
	struct fxt_map of;	/* struct fxt_namespace by inode */
	__u64 round_ns;		/* start of the round; 0: before the first round; set without the lock */
};

/* Descriptors of sockets, by their inodes. */
struct fxt_socket_list {
	const __u64 *inode;
	unsigned int count;
};

void fxt_namespaces_init(struct fxt_namespaces *n);
void fxt_namespaces_uninit(struct fxt_namespaces *n);

/* Starts a round: sockets are read again, and then not for a second, while processes are read one after the other. */
void fxt_namespaces_round(struct fxt_namespaces *n);

/*
 * Locks the namespaces, and returns the sockets of a process's namespace: struct fxt_unix_socket by inode, without peer
 * and name for those of the internet.  own: the process's sockets.  If the sockets are read first, calls each() for those
 * of the internet (fxt_sockets_each()).  Sets *cut if there are more sockets than are read.  Returns NULL, without the
 * lock, if the sockets can't be read now: another thread has read for too long, or the process is gone.
 */
const struct fxt_map *fxt_namespaces_get(struct fxt_namespaces *n, __u32 pid, const struct fxt_socket_list *own,
					 bool (*each)(void *arg, const char *kind, __u64 inode, const char *name), void *arg,
					 bool *cut);
void fxt_namespaces_put(struct fxt_namespaces *n);

#endif
