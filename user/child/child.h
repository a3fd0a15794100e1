/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs a library in a child process, as its input may break it, and receives the values that it read. */
#ifndef FXT_UTIL_CHILD_H
#define FXT_UTIL_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#include <linux/types.h>

#include "child/sandbox.h"

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

#define FXT_CHILD_BYTES		((size_t)256 << 10)

struct fxt_child {
	pid_t pid;
	int fd;			/* the pipe from the child */
	__u8 *bytes;
	size_t at, end;		/* positions in bytes: of the next byte to take, and after the last byte received */
	bool ended;		/* the child sends no more */
};

/* The child's side: the pipe and its buffer. */
struct fxt_child_out {
	int fd;
	unsigned int cpu_ms;	/* the longest processor time without sending anything */
	size_t used;
	__u8 bytes[64 << 10];
};

void fxt_child_put_parts(struct fxt_child_out *out, const void *bytes, size_t count);

/* Queues bytes; the child ends where its parent is gone. */
static inline void fxt_child_put(struct fxt_child_out *out, const void *bytes, size_t count)
{
	if (count >= sizeof(out->bytes) - out->used) {
		fxt_child_put_parts(out, bytes, count);
		return;
	}
	memcpy(out->bytes + out->used, bytes, count);
	out->used += count;
}

/* Ends the child, as if run() had returned status. */
void fxt_child_exit(struct fxt_child_out *out, int status) __attribute__((noreturn));

struct fxt_child_limits {
	size_t memory;		/* bytes of addresses; 0: any number */
	struct fxt_sandbox sandbox;
};

/*
 * Starts a child: run() reads within these limits, and without a standard error; fxt_child_end() returns run()'s
 * result.  A child that takes 10 s of processor time without sending anything is ended.  0 or -errno.
 */
int fxt_child_start(struct fxt_child *child, const struct fxt_child_limits *limits,
		    int (*run)(struct fxt_child_out *out, void *arg), void *arg);

int fxt_child_get_parts(struct fxt_child *child, void *to, size_t count);

/* Receives count bytes.  1; 0 where the child has ended; -errno. */
static inline int fxt_child_get(struct fxt_child *child, void *to, size_t count)
{
	if (count > child->end - child->at)
		return fxt_child_get_parts(child, to, count);
	memcpy(to, child->bytes + child->at, count);
	child->at += count;
	return 1;
}

int fxt_child_take_parts(struct fxt_child *child, size_t count, const __u8 **at);

/* Points *at to count bytes in the buffer instead of copying: up to FXT_CHILD_BYTES, valid until more are received. */
static inline int fxt_child_take(struct fxt_child *child, size_t count, const __u8 **at)
{
	if (count > child->end - child->at)
		return fxt_child_take_parts(child, count, at);
	*at = child->bytes + child->at;
	child->at += count;
	return 1;
}

/* Ends the child, and returns run()'s result, from 0 to 127; -EBADMSG where run() did not return. */
int fxt_child_end(struct fxt_child *child);

#endif
