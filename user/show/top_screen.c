// SPDX-License-Identifier: GPL-2.0-only
/* The screen of "fxtrec top", by ncurses. */
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "show/top.h"
#include "util/time.h"

#ifdef FXT_NCURSES
#define NCURSES_NOMACROS
#include <ncurses.h>

#define TABLE_LINE	3

static SCREEN *screen;

int fxt_top_open(void)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return -ENOTTY;
	/* Names are UTF-8. */
	setlocale(LC_CTYPE, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return -ENOTTY;
	/* Such a terminal can only be written at its end. */
	if (!tigetstr("cup") || tigetstr("cup") == (char *)-1) {
		fxt_top_close();
		return -ENOTTY;
	}
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	curs_set(0);
	/* A short delay makes Escape a key of its own. */
	set_escdelay(25);
	return 0;
}

void fxt_top_close(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
}

/* Prints a line, cut to the screen. */
static void __attribute__((format(printf, 2, 3))) line_put(int y, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	mvaddnstr(y, 0, text, COLS);
}

#define FIELDS	8u

/*
 * A line's start, and its fields: the least important ones are left out where the line has no space, each as a whole.
 */
struct line {
	char begin[96];
	unsigned int count;
	struct field {
		unsigned int rank;	/* 0: the most important field */
		char text[96];
	} field[FIELDS];
};

static void __attribute__((format(printf, 3, 4)))
field_add(struct line *l, unsigned int rank, const char *format, ...)
{
	struct field *f = &l->field[l->count++];
	va_list args;

	f->rank = rank;
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
}

/* Returns the columns of the line with its fields of less than a rank, and the text between them. */
static int line_width(const struct line *l, unsigned int below, const char *between)
{
	int width = strlen(l->begin);
	unsigned int i;

	for (i = 0; i < l->count; i++)
		if (l->field[i].rank < below)
			width += strlen(between) + strlen(l->field[i].text);
	return width;
}

static void line_draw(int y, const struct line *l, const char *first, const char *between)
{
	unsigned int below = l->count, i, shown = 0;

	while (below && line_width(l, below, between) > COLS)
		below--;
	mvaddnstr(y, 0, l->begin, COLS);
	for (i = 0; i < l->count; i++)
		if (l->field[i].rank < below)
			printw("%s%s", shown++ ? between : first, l->field[i].text);
}

static double percent(__u64 ns, __u64 all)
{
	return all ? 100.0 * ns / all : 0;
}

/* Returns the letter of the busiest of several CPUs, for more CPUs than columns. */
static char cpus_letter(const struct fxt_top *t, size_t begin, size_t end)
{
	static const char letters[] = " .:-=+*#%@";
	__u64 busiest = 0, known = 0;
	size_t i;

	for (i = begin; i < end; i++) {
		const struct fxt_top_cpu *c = &t->cpus[i];

		known += c->busy + c->idle;
		if (c->busy * 9 / (c->busy + c->idle + 1) >= busiest)
			busiest = c->busy * 9 / (c->busy + c->idle + 1);
	}
	return known ? letters[busiest] : '?';
}

/* Draws a bar for each CPU if they are few, else a character. */
static void cpus_map(const struct fxt_top *t, int y)
{
	size_t room = COLS > 2 ? COLS - 2 : 1, per = (t->cpu_count + room - 1) / room, i;

	move(y, 0);
	if (t->cpu_count * 10 <= room) {
		for (i = 0; i < t->cpu_count; i++) {
			const struct fxt_top_cpu *c = &t->cpus[i];

			printw("%3u: %3.0f%% ", c->id, percent(c->busy, c->busy + c->idle + c->unknown));
		}
		return;
	}
	addch('[');
	for (i = 0; per && i < t->cpu_count; i += per)
		addch(cpus_letter(t, i, i + per < t->cpu_count ? i + per : t->cpu_count));
	addch(']');
}

static void cpus_draw(const struct fxt_top *t)
{
	__u64 busy = 0, idle = 0, unknown = 0, waited = 0, all;
	const struct fxt_top_cpu *worst = NULL;
	struct line line = { .count = 0 };
	size_t i;

	for (i = 0; i < t->cpu_count; i++) {
		const struct fxt_top_cpu *c = &t->cpus[i];

		busy += c->busy;
		idle += c->idle;
		unknown += c->unknown;
		waited += c->waited;
		if (!worst || c->runnable_max > worst->runnable_max)
			worst = c;
	}
	all = busy + idle + unknown;
	snprintf(line.begin, sizeof(line.begin), "%zu CPU%s", t->cpu_count, t->cpu_count == 1 ? "" : "s");
	field_add(&line, 0, "%.1f%% busy", percent(busy, all));
	field_add(&line, 4, "%.1f%% idle", percent(idle, all));
	field_add(&line, 3, "%.1f%% unknown", percent(unknown, all));
	field_add(&line, 2, "%llu runnable on CPU %u", worst ? worst->runnable_max : 0, worst ? worst->id : 0);
	field_add(&line, 1, "late %.1f ms", waited / 1e6);
	line_draw(1, &line, ": ", ", ");
	cpus_map(t, 2);
}

static void help_draw(void)
{
	static const struct {
		const char *keys, *text, *brief;
	} lines[] = {
		{ "s S", "sort by the next column, the one before", "sort by another column" },
		{ "L", "the locks that threads waited for, with their holders; L again: threads", "by lock" },
		{ "b", "a row for each thread, process, comm, cgroup, container", "by thread, process, ..." },
		{ "f", "only rows with this in their name; Enter ends it, Escape drops it", "filter by name" },
		{ "Up Down", "scroll; Page Up, Page Down, Home", "scroll" },
		{ "w", "write the last seconds to a file of FXT (of this machine)", "write a file" },
		{ "Space", "pause", "pause" },
		{ "? h, q", "this help, quit", "this help, quit" },
	};
	int count = sizeof(lines) / sizeof(*lines), y = LINES - 1 - count, i;

	/* On a low screen, the help covers the lines above. */
	y = y < 1 ? 1 : y > TABLE_LINE + 2 ? TABLE_LINE + 2 : y;
	for (i = 0; i < count && y + i < LINES - 1; i++) {
		move(y + i, 0);
		clrtoeol();
		printw("  %-11s %.*s", lines[i].keys, COLS > 14 ? COLS - 14 : 0,
		       COLS < 80 ? lines[i].brief : lines[i].text);
	}
}

static void last_draw(const struct fxt_top *t)
{
	move(LINES - 1, 0);
	clrtoeol();
	if (t->editing)
		line_put(LINES - 1, "filter: %s_", t->filter);
	else if (t->message[0])
		addnstr(t->message, COLS - 1);
	else if (t->filter[0])
		line_put(LINES - 1, "only \"%s\" (f changes it); ? help", t->filter);
	else
		addnstr("q quit  s sort  b by  L locks  f filter  w write  Space pause  ? help", COLS - 1);
}

static void title_draw(struct fxt_top *t)
{
	double seconds = (t->to - t->from) / 1e9;
	struct line line = { .count = 0 };

	snprintf(line.begin, sizeof(line.begin), "fxtrec top%s", t->paused ? " PAUSED" : "");
	field_add(&line, 4, "%s", t->host);
	field_add(&line, 2, "%llu.%03llu s", t->to / SECOND_NS, t->to % SECOND_NS / 1000000);
	field_add(&line, 1, "%.0f switches/s", seconds > 0 ? t->switches / seconds : 0.0);
	field_add(&line, 0, "lost %llu", t->lost);
	field_add(&line, 3, "%zu %s", fxt_top_rows(t)->count, fxt_report_by_arrays[t->by_lock ? FXT_BY_LOCK : t->by_shown]);
	line_draw(0, &line, " ", "  ");
}

void fxt_top_draw(struct fxt_top *t)
{
	erase();
	if (t->to)
		title_draw(t);
	else
		line_put(0, "fxtrec top: the first second");
	if (t->to) {
		cpus_draw(t);
		fxt_top_table_draw(t, TABLE_LINE);
	}
	if (t->help)
		help_draw();
	last_draw(t);
	refresh();
}

/* Handles a key while the filter is being typed. */
static void filter_key(struct fxt_top *t, int key)
{
	size_t length = strlen(t->filter);

	if (key == '\n' || key == KEY_ENTER) {
		t->editing = false;
	} else if (key == 27) {
		t->editing = false;
		t->filter[0] = '\0';
	} else if (key == KEY_BACKSPACE || key == 127 || key == 8) {
		while (length && (t->filter[length - 1] & 0xc0) == 0x80)
			t->filter[--length] = '\0';
		if (length)
			t->filter[length - 1] = '\0';
	} else if (key >= 0x20 && key < 0x100 && length + 1 < sizeof(t->filter)) {
		t->filter[length] = key;
		t->filter[length + 1] = '\0';
	}
}

static void scroll_key(struct fxt_top *t, int key)
{
	size_t page = LINES > TABLE_LINE + 3 ? LINES - TABLE_LINE - 3 : 1;
	size_t step = key == KEY_NPAGE || key == KEY_PPAGE ? page : 1;

	if (key == KEY_DOWN || key == KEY_NPAGE)
		t->scroll += step;
	else if (key == KEY_UP || key == KEY_PPAGE)
		t->scroll -= step < t->scroll ? step : t->scroll;
	else if (key == KEY_HOME)
		t->scroll = 0;
}

static void key_put(struct fxt_top *t, int key)
{
	t->message[0] = '\0';
	switch (key) {
	case 'q':
		t->quit = true;
		break;
	case 's':
		fxt_top_sort(t, 1);
		break;
	case 'S':
		fxt_top_sort(t, -1);
		break;
	case 'L':
		t->by_lock = !t->by_lock;
		t->scroll = 0;
		break;
	case 'b':
		t->by_lock = false;
		t->by = (t->by + 1) % FXT_BY_CPU;
		snprintf(t->message, sizeof(t->message), "from the next second on: by %s",
			 fxt_report_by_names[t->by]);
		break;
	case 'f':
	case '/':
		t->editing = true;
		break;
	case 'w':
		t->write = true;
		break;
	case ' ':
		t->paused = !t->paused;
		break;
	case '?':
	case 'h':
		t->help = !t->help;
		break;
	default:
		scroll_key(t, key);
		break;
	}
}

void fxt_top_keys(struct fxt_top *t)
{
	int key;

	while ((key = getch()) != ERR) {
		if (t->editing)
			filter_key(t, key);
		else
			key_put(t, key);
	}
}

#else	/* !FXT_NCURSES */

int fxt_top_open(void)
{
	return -ENOSYS;
}

void fxt_top_close(void)
{
}

void fxt_top_draw(struct fxt_top *t)
{
	(void)t;
}

void fxt_top_keys(struct fxt_top *t)
{
	(void)t;
}

#endif
