/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls that sleep: the object of each, and the class of its waits.  analysis.rst has the table. */
#ifndef FXT_MODEL_CALLS_H
#define FXT_MODEL_CALLS_H

#include <stdbool.h>

#include "uapi/fxtrec.h"

/* Classes of waits by their names in outputs; analysis.rst describes them. */
#define FXT_WAIT_CLASSES(ROW)		\
	ROW(UNKNOWN,	"unknown")	\
	ROW(IDLE,	"idle")		\
	ROW(LOCK,	"lock")		\
	ROW(DISK,	"disk")		\
	ROW(NETWORK,	"network")	\
	ROW(PIPE,	"pipe")		\
	ROW(MEMORY,	"memory")	\
	ROW(CHILD,	"child")	\
	ROW(STOPPED,	"stopped")	\
	ROW(KERNEL,	"kernel")

enum fxt_wait_class {
#define FXT_WAIT_ENUM(name, text)	FXT_WAIT_##name,
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
