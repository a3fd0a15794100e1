/* SPDX-License-Identifier: GPL-2.0-only */
/* The processes behind a door, and how descriptors get from one to another. */
#ifndef FXT_LISTENER_SUPERVISOR_H
#define FXT_LISTENER_SUPERVISOR_H

#include "listener/listener.h"

/* Answers who comes to the socket that listens, until nobody has the other end of "to". */
_Noreturn void fxt_door_keep(int to, int listening, fxt_door_admit admit);

/* Sends the bytes and the descriptor along; 0 or -errno. */
int fxt_door_send(int to, const void *bytes, size_t size, int fd);

/*
 * Receives bytes and a descriptor (*fd, or -1), or looks at them with MSG_PEEK in the flags;
 * never waits.  The bytes; -E2BIG where there were descriptors that found no room; -errno.
 */
ssize_t fxt_door_receive(int from, void *bytes, size_t size, int *fd, int flags);

#endif
