/* SPDX-License-Identifier: GPL-2.0-only */
/* Time asleep by stack, as folded lines and as a flame graph of SVG. */
#ifndef FXT_SHOW_FLAME_H
#define FXT_SHOW_FLAME_H

#include <stdio.h>

#include "analyze/flame.h"
#include "analyze/machine/origin.h"

/* A line's stack: "process;thread;outermost;...;innermost", after "host;" where there are several machines. */
struct fxt_flame_line {
	const char *text;
	__u64 ns;
};

struct fxt_flame_lines {
	struct fxt_flame_line *line;	/* sorted by text, ascending */
	size_t count;
	__u64 ns;		/* sum of all lines */
	__u64 idle;		/* ns that were left out */
};

/* Makes the lines of all machines; all: including idle pools.  0 or -errno; to be uninitialized in both cases. */
int fxt_flame_lines_init(struct fxt_flame_lines *lines, const struct fxt_flame *flames,
			 const struct fxt_origins *origins, bool all);
void fxt_flame_lines_uninit(struct fxt_flame_lines *lines);

/* Sorts the lines, and prints the longest rows of them as a table to standard output; 0: all. */
void fxt_flame_table(struct fxt_flame_lines *lines, const struct fxt_origins *origins, size_t rows);

void fxt_flame_folded(FILE *out, const struct fxt_flame_lines *lines);
void fxt_flame_svg(FILE *out, const struct fxt_flame_lines *lines, const char *title);

#endif
