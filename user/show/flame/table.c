// SPDX-License-Identifier: GPL-2.0-only
/* Time asleep by stack, as a table. */
#include <stdlib.h>
#include <string.h>

#include "show/flame/flame.h"
#include "show/print.h"
#include "show/report.h"

#define TITLE_WIDTH	32u
#define INDENT		4u
#define STACK_BYTES	2048u

static int longer(const void *a, const void *b)
{
	const struct fxt_flame_line *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return strcmp(x->text, y->text);
}

/* Returns the end of the first count parts of a line; ";" separates parts. */
static const char *parts_end(const char *text, unsigned int count)
{
	const char *end = strchrnul(text, ';');

	while (--count && *end)
		end = strchrnul(end + 1, ';');
	return end;
}

/* Writes "inner < ... < outer", as far as it fits. */
static void stack_write(char *to, const char *outermost)
{
	const char *end = outermost + strlen(outermost), *at;
	char *limit = to + STACK_BYTES - 1;

	*to = '\0';
	for (; end > outermost; end = at > outermost ? at - 1 : at) {
		for (at = end; at > outermost && at[-1] != ';'; at--)
			;
		to += snprintf(to, limit - to, "%.*s%s", (int)(end - at), at, at > outermost ? " < " : "");
		if (to >= limit)
			return;
	}
}

static void line_put(const struct fxt_screen *screen, const struct fxt_flame_lines *l, const struct fxt_flame_line *line,
		     unsigned int parts)
{
	const char *end = parts_end(line->text, parts);
	char title[FXT_TASK_NAME_BYTES * 2 + 64], stack[STACK_BYTES];

	snprintf(title, sizeof(title), "%.*s", (int)(end - line->text), line->text);
	stack_write(stack, *end ? end + 1 : end);
	fxt_print_title(screen->out, title, TITLE_WIDTH);
	fprintf(screen->out, " %14.3f %7.2f\n%*s", line->ns / 1e6, 100.0 * line->ns / l->ns, INDENT, "");
	fxt_print_cell(screen->out, stack, screen->width ? screen->width - INDENT : 0);
	fputc('\n', screen->out);
}

void fxt_flame_table(struct fxt_flame_lines *l, const struct fxt_origins *origins, size_t rows)
{
	struct fxt_screen screen;
	size_t i;

	fxt_screen_init(&screen);
	fxt_origins_text(&screen, origins);
	qsort(l->line, l->count, sizeof(*l->line), longer);
	fxt_screen_table(&screen, "process;thread", TITLE_WIDTH, "    asleep ms       %");
	for (i = 0; i < l->count && (!rows || i < rows); i++)
		line_put(&screen, l, &l->line[i], origins->count > 1 ? 3 : 2);
	fxt_screen_more(&screen, i, l->count);
}
