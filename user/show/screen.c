// SPDX-License-Identifier: GPL-2.0-only
/* The output of a command's text. */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "show/pager.h"
#include "show/screen.h"

#define WIDTH_MIN	40u

void fxt_screen_init(struct fxt_screen *s)
{
	const char *columns = getenv("COLUMNS"), *no_colour = getenv("NO_COLOR");
	struct winsize size;

	*s = (struct fxt_screen){ .out = stdout };
	if (!isatty(STDOUT_FILENO))
		return;
	s->colour = !no_colour || !*no_colour;
	if (columns && atoi(columns) > 0)
		s->width = atoi(columns);
	else if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		s->width = size.ws_col;
	if (s->width && s->width < WIDTH_MIN)
		s->width = WIDTH_MIN;
	fxt_pager_start();
}

void fxt_screen_more(const struct fxt_screen *screen, size_t rows, size_t all)
{
	if (rows < all)
		fprintf(screen->out, "%zu more: --top=0\n", all - rows);
}

unsigned int fxt_screen_title_width(const struct fxt_screen *screen, unsigned int longest, unsigned int least,
				    unsigned int figures)
{
	unsigned int most = screen->width > figures ? screen->width - figures : 0;

	if (longest < least)
		longest = least;
	if (!screen->width || longest <= most)
		return longest;
	return most > least ? most : least;
}

void fxt_screen_table(const struct fxt_screen *s, const char *first, unsigned int width, const char *others)
{
	fprintf(s->out, s->colour ? "\033[1m%-*s%s\033[m\n" : "%-*s%s\n", (int)width, first, others);
}

void fxt_screen_bold(const struct fxt_screen *s, const char *text)
{
	fprintf(s->out, s->colour ? "\033[1m%s\033[m\n" : "%s\n", text);
}
