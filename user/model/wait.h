/* SPDX-License-Identifier: GPL-2.0-only */
/* The reasons of sleeps in words: system call, object, and the class of the wait. */
#ifndef FXT_MODEL_WAIT_H
#define FXT_MODEL_WAIT_H

#include "model/calls.h"
#include "model/sched_view.h"
#include "model/syscall_names.h"

/* The system calls of a machine; all zero: those of the machine that fxtrec was built for. */
struct fxt_wait_calls {
	const struct fxt_syscall_table *own;	/* calls of the 32-bit ABI have the table of fxtrec's machine */
	/* Class + 1 by ABI and number; 0: not looked up yet. */
	__u8 class[2][FXTREC_CALLS_MAX];
};

/* Sets the tables of a machine named as by uname. */
void fxt_wait_calls_machine(struct fxt_wait_calls *calls, const struct fxt_text *machine);

/* Returns the class of a sleep in a state; UNKNOWN without a reason, except that a stopped thread is STOPPED. */
enum fxt_wait_class fxt_wait_class(struct fxt_wait_calls *calls, const struct fxt_sleep_reason *reason,
				   enum fxt_linux_state state);

/* Returns "lock", "disk" and so on. */
const char *fxt_wait_class_name(enum fxt_wait_class class);

/* Overrules the class of a call, for all machines of this run, by "CALL=CLASS".  Returns false for another text. */
bool fxt_wait_overrule(const char *text);

static inline enum fxt_entry fxt_reason_entry(const struct fxt_sleep_reason *reason)
{
	return (enum fxt_entry)((reason->bits & FXT_REASON_ENTRY) >> FXT_REASON_ENTRY_SHIFT);
}

/* Returns whether a reason is a futex that only threads of one process use, by its operation or by its memory. */
static inline bool fxt_reason_is_private(const struct fxt_sleep_reason *reason)
{
	return reason->kind == FXT_ON_FUTEX &&
	       reason->bits & (FXT_REASON_OWN | FXT_FUTEX_PRIVATE << FXT_REASON_FUTEX_SHIFT);
}

/* Returns "read", "syscall 463", "exception" or "kernel thread"; "" without a reason. */
const char *fxt_wait_call(const struct fxt_wait_calls *calls, const struct fxt_sleep_reason *reason,
			  char room[FXT_SYSCALL_ROOM]);

/*
 * Writes the object: "pipe:[4711]", "file 8:1 inode 12", "futex 0x7f...", "futex 0:25 inode 12+64", "process 12"; ""
 * for none.  Returns text.
 */
#define FXT_WAIT_OBJECT_BYTES	80u
const char *fxt_wait_object(char text[FXT_WAIT_OBJECT_BYTES], const struct fxt_sleep_reason *reason);

#endif
