/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the Unix sockets of a network namespace, with their other ends. */
#ifndef FXT_DESCRIBE_UNIX_H
#define FXT_DESCRIBE_UNIX_H

#include "store/map.h"

/* Bytes of an address: "/run/db.sock", "@abstract". */
#define FXT_UNIX_NAME_BYTES	110u

struct fxt_unix_socket {
	__u64 peer;		/* inode of the other end; 0: not connected */
	char name[FXT_UNIX_NAME_BYTES];	/* address that the socket is bound to, as its listener is; "": none */
};

/*
 * Fills a map with struct fxt_unix_socket by inode, up to most sockets of a process's network namespace, from the
 * kernel's socket diagnostics.  folder: /proc/PID.  The caller frees the map, and its values.
 */
void fxt_unix_read(const char *folder, unsigned int most, struct fxt_map *sockets);

#endif
