/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Receives descriptors that programs have sent, in a process of its own: closing a file of another user's file system,
 * or a socket that lingers, may take for ever, and would even keep the recorder from ending.
 */
#ifndef FXT_MARKS_PORTER_H
#define FXT_MARKS_PORTER_H

#include <sys/types.h>

struct fxt_mark_porter {
	int control;		/* a socket; -1: no process runs */
	pid_t pid;
};

/*
 * Receives memory from a connection, and closes the connection.  Returns a descriptor; -ENODATA: no descriptor was
 * sent; -EBADF: another kind of file was sent, or receiving takes too long; -errno.
 */
int fxt_mark_porter_receive(struct fxt_mark_porter *porter, int connection);

void fxt_mark_porter_end(struct fxt_mark_porter *porter);

#endif
