/* SPDX-License-Identifier: GPL-2.0-only */
/* The tool's own file. */
#ifndef FXT_UTIL_PROGRAM_H
#define FXT_UTIL_PROGRAM_H

#include <stddef.h>

/* Its path, cut to the room; "" and -errno where that isn't known, as without /proc. */
int fxt_program_path(char *path, size_t room);

#endif
