/* SPDX-License-Identifier: GPL-2.0-only */
/* The output of a command's text: a terminal of some width, with or without colours, or a file. */
#ifndef FXT_SHOW_SCREEN_H
#define FXT_SHOW_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

struct fxt_screen {
	FILE *out;
	unsigned int width;	/* columns; 0: unlimited */
	bool colour;
};

/* Uses standard output, and starts the pager if it is a terminal.  Respects COLUMNS and NO_COLOR. */
void fxt_screen_init(struct fxt_screen *screen);

/* Prints how many rows are left out, and the option that shows them. */
void fxt_screen_more(const struct fxt_screen *screen, size_t rows, size_t all);

/*
 * Returns the columns for titles, if the longest title has longest columns: at least least, more as far as a line has
 * space beside the columns of figures.
 */
unsigned int fxt_screen_title_width(const struct fxt_screen *screen, unsigned int longest, unsigned int least,
				    unsigned int figures);

/* Prints a table's heads: the first column's, with its width, and the others. */
void fxt_screen_table(const struct fxt_screen *screen, const char *first, unsigned int width, const char *others);

/* Prints a line of a table's heads. */
void fxt_screen_bold(const struct fxt_screen *screen, const char *text);

#endif
