/* SPDX-License-Identifier: GPL-2.0-only */
/* System calls by number and name, of 64-bit programs of the machine that fxtrec was built for. */
#ifndef FXT_MODEL_SYSCALL_NAMES_H
#define FXT_MODEL_SYSCALL_NAMES_H

#include "codec/record.h"

/* Whether a machine, as uname names it, is that one. */
bool fxt_syscall_machine(const char *machine);

/* The number of "read", or of "syscall 463", which has no name here; -ENOENT. */
int fxt_syscall_number(const struct fxt_text *name);

/* A number's name; NULL: it has none here. */
const char *fxt_syscall_known(__u64 number);

/* A number's name; room is for one without. */
#define FXT_SYSCALL_ROOM	32u
const char *fxt_syscall_name_of(__u32 number, char room[FXT_SYSCALL_ROOM]);

#endif
