/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps system calls of 64-bit programs between numbers and names, for each machine that fxtrec knows. */
#ifndef FXT_MODEL_SYSCALL_NAMES_H
#define FXT_MODEL_SYSCALL_NAMES_H

#include "codec/record.h"

/* The system calls of a machine.  In the functions below, NULL means the machine that fxtrec was built for. */
struct fxt_syscall_table {
	const char *machine;
	const char *const *names;	/* names by number; NULL: none */
	size_t count;
};

/* Returns the table of a machine named as by uname; an empty table for an unknown machine.  Never returns NULL. */
const struct fxt_syscall_table *fxt_syscall_table(const char *machine);

/* Return the tables of the machine that fxtrec was built for: of its own ABI, and of 32-bit programs. */
const struct fxt_syscall_table *fxt_syscall_table_own(void);
const struct fxt_syscall_table *fxt_syscall_table_compat(void);

/* Returns the number of "read", or of "syscall 463", which has no name here; -ENOENT for other texts. */
int fxt_syscall_number(const struct fxt_syscall_table *s, const struct fxt_text *name);

/* Returns a number's name; NULL: no name. */
const char *fxt_syscall_known(const struct fxt_syscall_table *s, __u64 number);

/* Returns a number's name; room is for the text of a number without a name. */
#define FXT_SYSCALL_ROOM	32u
const char *fxt_syscall_name_of(const struct fxt_syscall_table *s, __u32 number, char room[FXT_SYSCALL_ROOM]);

#endif
