// SPDX-License-Identifier: GPL-2.0-only
/* The table on the screen of "fxtrec top": groups of threads, or locks. */
#include <stdlib.h>
#include <string.h>

#include "show/reasons.h"
#include "show/report.h"
#include "show/top.h"
#include "util/utf8.h"

#ifdef FXT_NCURSES
#define NCURSES_NOMACROS
#include <ncurses.h>

#define TITLE_WIDTH	24	/* at least; up to half of the screen where names are longer */
#define HOLDERS_HEAD	" holders"

struct column {
	unsigned int value;	/* index in value[] */
	const char *title;
	int width;
	double scale;		/* unit of times; 0: a count */
};

static const struct column lock_columns[] = {
#define LOCK_COLUMN(id, ...)	{ FXT_TOP_LOCK_##id, __VA_ARGS__ },
	FXT_TOP_LOCK_FIGURES(LOCK_COLUMN)
};

/* The columns that fit the screen, in their order. */
struct top_columns {
	struct column of[FXT_COLUMNS];
	unsigned int count;
	int titles, width;	/* width of the rows' titles, and of all */
};

static void titles_measure(struct fxt_top *t, struct top_columns *c)
{
	const struct fxt_top_rows *rows = fxt_top_rows(t);
	size_t i, columns, width = TITLE_WIDTH;

	for (i = 0; i < rows->count; i++) {
		columns = fxt_utf8_columns(rows->of[i].title) + 1;
		width = columns > width ? columns : width;
	}
	c->titles = (int)width <= COLS / 2 ? (int)width : COLS / 2 > TITLE_WIDTH ? COLS / 2 : TITLE_WIDTH;
}

/* Finds the column of groups at a position, from 1.  Returns false if there is none. */
static bool group_column(unsigned int position, struct column *column)
{
	unsigned int c;

	for (c = 0; c < FXT_COLUMNS && fxt_columns[c].top != position; c++)
		;
	if (c == FXT_COLUMNS)
		return false;
	*column = (struct column){ c, fxt_columns[c].title, fxt_columns[c].top_width, fxt_column_scale(c) };
	return true;
}

/* Adds a column if it fits; returns whether it does. */
static bool column_add(struct top_columns *c, const struct column *column)
{
	if (c->width + column->width > COLS)
		return false;
	c->of[c->count++] = *column;
	c->width += column->width;
	return true;
}

static void columns_find(struct fxt_top *t, struct top_columns *c)
{
	struct column column;
	unsigned int i;

	titles_measure(t, c);
	c->width = c->titles;
	c->count = 0;
	if (t->by_lock) {
		for (i = 0; i < FXT_TOP_LOCKS && column_add(c, &lock_columns[i]); i++)
			;
		return;
	}
	for (i = 1; group_column(i, &column); i++)
		if (fxt_column_shown(column.value, t->reasons) && !column_add(c, &column))
			return;
}

static void heads_draw(struct fxt_top *t, int y, const struct top_columns *c)
{
	unsigned int i;

	attron(A_REVERSE);
	mvprintw(y, 0, "%-*s", c->titles, fxt_report_by_names[t->by_lock ? FXT_BY_LOCK : t->by_shown]);
	for (i = 0; i < c->count; i++) {
		if (c->of[i].value == fxt_top_rows(t)->sort)
			attron(A_UNDERLINE | A_BOLD);
		printw("%*s", c->of[i].width, c->of[i].title);
		attroff(A_UNDERLINE | A_BOLD);
	}
	if (t->by_lock && c->width + (int)strlen(HOLDERS_HEAD) <= COLS)
		addstr(HOLDERS_HEAD);
	attroff(A_REVERSE);
}

static void title_put(int y, const char *title, int width)
{
	size_t head;
	const char *tail = fxt_utf8_split(title, width - 1, &head);

	if (tail)
		mvprintw(y, 0, "%.*s..%s", (int)head, title, tail);
	else
		mvaddstr(y, 0, title);
}

/* Adds as many holders at the cursor as fit the columns: a part of a name or a share would mislead. */
static void holders_put(const char *holders, int columns)
{
	char text[FXT_REASON_HOLDERS_BYTES];
	size_t length = snprintf(text, sizeof(text), "%s", holders);
	char *end = text + length;

	while (end && end > text && (end[-1] != '%' || (int)fxt_utf8_columns(text) > columns)) {
		end = strrchr(text, ',');
		if (end)
			*end = '\0';
	}
	if (end)
		printw(" %s", text);
}

static void row_draw(const struct fxt_top *t, const struct fxt_top_row *row, int y, const struct top_columns *c)
{
	unsigned int i;

	title_put(y, row->title, c->titles);
	move(y, c->titles);
	for (i = 0; i < c->count; i++) {
		const struct column *column = &c->of[i];
		__u64 value = row->value[column->value];

		if (!t->by_lock && !fxt_report_known(column->value, row->latencies))
			printw(" %*s", column->width - 1, "-");
		else if (column->scale)
			printw(" %*.*f", column->width - 1, value / column->scale < 1e5 ? 2 : 0, value / column->scale);
		else
			printw(" %*llu", column->width - 1, value);
	}
	if (t->by_lock)
		holders_put(row->holders, COLS - c->width - 1);
}

static int descending(const void *a, const void *b, void *arg)
{
	const struct fxt_top_rows *rows = arg;
	const struct fxt_top_row *x = a, *y = b;

	if (x->value[rows->sort] != y->value[rows->sort])
		return x->value[rows->sort] < y->value[rows->sort] ? 1 : -1;
	return strcmp(x->title, y->title);
}

static void rows_draw(struct fxt_top *t, int line, const struct top_columns *c)
{
	struct fxt_top_rows *rows = fxt_top_rows(t);
	size_t i, hits = 0, room = LINES > line + 1 ? LINES - line - 1 : 0;

	qsort_r(rows->of, rows->count, sizeof(*rows->of), descending, rows);
	for (i = 0; i < rows->count; i++)
		hits += !t->filter[0] || strstr(rows->of[i].title, t->filter);
	if (t->scroll + room > hits)
		t->scroll = hits > room ? hits - room : 0;
	for (i = 0, hits = 0; i < rows->count && hits < t->scroll + room; i++) {
		if (t->filter[0] && !strstr(rows->of[i].title, t->filter))
			continue;
		if (hits++ >= t->scroll)
			row_draw(t, &rows->of[i], line + hits - 1 - t->scroll, c);
	}
}

void fxt_top_table_draw(struct fxt_top *t, int line)
{
	struct top_columns c;

	columns_find(t, &c);
	heads_draw(t, line, &c);
	if (t->help)
		return;
	if (t->by_lock && !t->locks.count)
		mvaddnstr(line + 1, 0, t->reasons ? "no thread is known to have waited for a lock" :
						    "reasons of sleeps aren't known", COLS);
	rows_draw(t, line + 1, &c);
}

void fxt_top_sort(struct fxt_top *t, int step)
{
	struct fxt_top_rows *rows = fxt_top_rows(t);
	struct top_columns c;
	unsigned int i;

	columns_find(t, &c);
	if (!c.count)
		return;
	for (i = 0; i < c.count && c.of[i].value != rows->sort; i++)
		;
	rows->sort = c.of[i == c.count ? 0 : (i + c.count + step) % c.count].value;
}

#endif
