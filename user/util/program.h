/* SPDX-License-Identifier: GPL-2.0-only */
/* Executable programs: the tool's own file, and programs by their names. */
#ifndef FXT_UTIL_PROGRAM_H
#define FXT_UTIL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* End of a message about a part that only the larger executable has: cmd/larger.h. */
#define FXT_PROGRAM_MISSING	"in the package fxtrec, which is not installed"

/*
 * Writes the path of the tool's own file, cut to the space; "" and -errno where the path isn't known, as without /proc.
 */
int fxt_program_path(char *path, size_t room);

/* Returns whether a path is that of an executable file. */
bool fxt_program_is(const char *path);

/* Returns whether one of the folders "A:B" has a program; an empty folder is the current one.  NULL: no folders. */
bool fxt_program_found(const char *name, const char *folders);

#endif
