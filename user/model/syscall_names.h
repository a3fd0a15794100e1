/* SPDX-License-Identifier: GPL-2.0-only */
/* System calls of 64-bit programs by number and name, of each machine that fxtrec knows. */
#ifndef FXT_MODEL_SYSCALL_NAMES_H
#define FXT_MODEL_SYSCALL_NAMES_H

#include "codec/record.h"

/* A machine's; NULL is, in the functions below, that of the machine that fxtrec was built for. */
struct fxt_syscall_table {
	const char *machine;
	const char *const *names;	/* by number; NULL: it has none */
	size_t count;
};

/* Of a machine as uname names it; one without names where it isn't known.  Never NULL. */
const struct fxt_syscall_table *fxt_syscall_table(const char *machine);

/* The number of "read", or of "syscall 463", which has no name here; -ENOENT. */
int fxt_syscall_number(const struct fxt_syscall_table *s, const struct fxt_text *name);

/* A number's name; NULL: it has none here. */
const char *fxt_syscall_known(const struct fxt_syscall_table *s, __u64 number);

/* A number's name; room is for one without. */
#define FXT_SYSCALL_ROOM	32u
const char *fxt_syscall_name_of(const struct fxt_syscall_table *s, __u32 number, char room[FXT_SYSCALL_ROOM]);

#endif
