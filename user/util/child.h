/* SPDX-License-Identifier: GPL-2.0-only */
/* A child process that runs a library on a file that may break it, and sends what it read. */
#ifndef FXT_UTIL_CHILD_H
#define FXT_UTIL_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/types.h>

/* The address sanitizer reserves more addresses than a limit could allow. */
#if defined(__SANITIZE_ADDRESS__)
#define FXT_CHILD_LIMITS	0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FXT_CHILD_LIMITS	0
#endif
#endif
#ifndef FXT_CHILD_LIMITS
#define FXT_CHILD_LIMITS	1
#endif

struct fxt_child {
	pid_t pid;
	int fd;			/* of what it sends */
	__u8 *bytes;
	size_t at, end;		/* of those that were received */
	bool ended;		/* it sends no more */
};

/* What a child sends by. */
struct fxt_child_out {
	int fd;
	size_t used;
	__u8 bytes[64 << 10];
};

/* Queues bytes; the child ends where its parent is gone. */
void fxt_child_put(struct fxt_child_out *out, const void *bytes, size_t count);

/*
 * Starts it: run() reads with memory of at most so many bytes, and without a standard
 * error; what it returns is what fxt_child_end() does.  0 or -errno.
 */
int fxt_child_start(struct fxt_child *child, size_t memory, int (*run)(struct fxt_child_out *out, void *arg),
		    void *arg);

/* Receives all of so many bytes: 1; 0 where the child has ended, or is silent for a minute; -errno. */
int fxt_child_get(struct fxt_child *child, void *to, size_t count);

/* Ends it: what run() returned, from 0 to 127; -EBADMSG where it did not return. */
int fxt_child_end(struct fxt_child *child);

#endif
