/* SPDX-License-Identifier: GPL-2.0-only */
/* What text is printed to: a terminal of some width, with colours or not, or a file. */
#ifndef FXT_SHOW_SCREEN_H
#define FXT_SHOW_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

struct fxt_screen {
	FILE *out;
	unsigned int width;	/* columns; 0: it has no bound */
	bool colour;
};

/* Standard output; COLUMNS and NO_COLOR are respected. */
void fxt_screen_init(struct fxt_screen *screen);

/*
 * Columns for titles, of which the longest has so many: at least least, more as far as a line has room beside so many
 * columns of figures.
 */
unsigned int fxt_screen_title_width(const struct fxt_screen *screen, unsigned int longest, unsigned int least,
				    unsigned int figures);

/* A table's heads: the first one's, of a width, and the others. */
void fxt_screen_table(const struct fxt_screen *screen, const char *first, unsigned int width, const char *others);

/* A line of a table's heads. */
void fxt_screen_bold(const struct fxt_screen *screen, const char *text);

#endif
