/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the addresses of the sockets of a network namespace. */
#ifndef FXT_DESCRIBE_SOCKETS_H
#define FXT_DESCRIBE_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Bytes of "[ADDRESS]:PORT > [ADDRESS]:PORT". */
#define FXT_SOCKET_NAME_BYTES	128u

/*
 * Calls each() with the kind ("inet" or "inet6"), inode and addresses of the sockets of TCP and UDP, of the network
 * namespace of a process.  Ends after most sockets, or when each() returns false.  Returns whether all were read.
 */
bool fxt_sockets_each(const char *folder, unsigned int most,
		      bool (*each)(void *arg, const char *kind, __u64 inode, const char *name), void *arg);

#endif
