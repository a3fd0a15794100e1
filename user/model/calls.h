/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls that sleep: the object of each, and the class of its waits.  analysis.rst has the table. */
#ifndef FXT_MODEL_CALLS_H
#define FXT_MODEL_CALLS_H

#include <stdbool.h>

#include "uapi/fxtrec.h"

/* Classes of waits: the name in outputs, and a sentence for help texts. */
#define FXT_WAIT_CLASSES(ROW)								\
	ROW(UNKNOWN,	"unknown",	"waits without a recorded reason")		\
	ROW(IDLE,	"idle",		"waits for work or for a time")			\
	ROW(LOCK,	"lock",		"waits for a lock")				\
	ROW(DISK,	"disk",		"waits for files, directories and block devices")	\
	ROW(NETWORK,	"network",	"waits for network sockets")			\
	ROW(PIPE,	"pipe",		"waits for pipes, Unix sockets and other processes' messages")	\
	ROW(MEMORY,	"memory",	"waits in page faults and calls of memory management")	\
	ROW(CHILD,	"child",	"waits for the end of a process or thread")	\
	ROW(STOPPED,	"stopped",	"stopped by a signal or a tracer")		\
	ROW(KERNEL,	"kernel",	"kernel threads, and other work of the kernel")

enum fxt_wait_class {
#define FXT_WAIT_ENUM(name, text, help)	FXT_WAIT_##name,
	FXT_WAIT_CLASSES(FXT_WAIT_ENUM)
#undef FXT_WAIT_ENUM
	FXT_WAITS,
};

/* A system call: its object in the producers' terms, and the class of its waits. */
struct fxt_call {
	const char *name;
	__u8 object;		/* enum fxtrec_call */
	__u8 wait;		/* enum fxt_wait_class, or FXT_WAIT_BY_OBJECT */
};

#define FXT_WAIT_BY_OBJECT	FXT_WAITS

/* Finds a call by its name; NULL: the call is not listed. */
const struct fxt_call *fxt_call_find(const char *name);

/*
 * Fills the producers' tables for this machine, with a fresh key for the hashes of addresses; addresses: keep
 * addresses as they are.
 */
void fxt_calls_fill(struct fxtrec_reasons *reasons, bool addresses);

#endif
