/* SPDX-License-Identifier: GPL-2.0-only */
/* Time asleep by stack, as folded lines and as a flame graph of SVG. */
#ifndef FXT_SHOW_FLAME_H
#define FXT_SHOW_FLAME_H

#include <stdio.h>

#include "analyze/flame.h"
#include "analyze/machine/origin.h"

/* A line's stack: "process;thread;outermost;...;innermost", behind "host;" where there are several machines. */
struct fxt_flame_line {
	const char *text;
	__u64 ns;
};

struct fxt_flame_lines {
	struct fxt_flame_line *line;	/* ascending by their texts */
	size_t count;
	__u64 ns;		/* of all */
	__u64 idle;		/* ns that were left out */
};

/* Of each machine; all: idle pools, too.  0 or -errno; uninit in both cases. */
int fxt_flame_lines_init(struct fxt_flame_lines *lines, const struct fxt_flame *flames,
			 const struct fxt_origins *origins, bool all);
void fxt_flame_lines_uninit(struct fxt_flame_lines *lines);

/* Sorts the lines, and prints so many of the longest as a table; 0: all.  To standard output. */
void fxt_flame_table(struct fxt_flame_lines *lines, const struct fxt_origins *origins, size_t rows);

void fxt_flame_folded(FILE *out, const struct fxt_flame_lines *lines);
void fxt_flame_svg(FILE *out, const struct fxt_flame_lines *lines, const char *title);

#endif
