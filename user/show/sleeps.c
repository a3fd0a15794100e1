// SPDX-License-Identifier: GPL-2.0-only
/* Sums of sleeps as text, CSV and JSON. */
#include <string.h>

#include "analyze/wakers.h"
#include "show/nobody.h"
#include "show/print.h"
#include "show/report.h"
#include "show/sleeps.h"
#include "util/csv.h"
#include "util/utf8.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)
#define TITLE_BYTES	(FXT_TASK_NAME_BYTES + 64)
/* At least; wider where names are longer and the line has columns left. */
#define TITLE_WIDTH	24u
#define WAKER_WIDTH	20u
#define FIGURES_WIDTH	56u
/* On a narrower terminal, a function has a line of its own. */
#define FUNCTION_WIDTH	16u

static const char *sleeper_title(char *text, const struct fxt_sleeps_view *v, const struct fxt_sleep *s)
{
	return fxt_group_title(text, TITLE_BYTES, v->rows->by, s->task, s->name);
}

static const char *waker_title(char *text, const struct fxt_sleeps_view *v, const struct fxt_sleep *s)
{
	if (s->context == FXT_SLEEP_OPEN)
		return "-";
	if (s->context != FXT_CONTEXT_TASK)
		return fxt_context_wakers[s->context];
	return s->waker ? fxt_group_title(text, TITLE_BYTES, v->rows->by, s->waker, s->waker_name) : "an idle CPU";
}

static size_t rows_printed(const struct fxt_sleeps_view *v)
{
	return v->top && v->top < v->rows->count ? v->top : v->rows->count;
}

static unsigned int title_width(const struct fxt_screen *screen, const struct fxt_sleeps_view *v)
{
	unsigned int longest = TITLE_WIDTH;
	char title[TITLE_BYTES];
	size_t i, columns;

	for (i = 0; i < rows_printed(v); i++) {
		columns = fxt_utf8_columns(sleeper_title(title, v, v->rows->rows[i].sum)) + 1;
		longest = columns > longest ? columns : longest;
	}
	return fxt_screen_title_width(screen, longest, TITLE_WIDTH, FIGURES_WIDTH);
}

static void row_put(const struct fxt_screen *screen, const struct fxt_sleeps_view *v, const struct fxt_sleep *s,
		    unsigned int width)
{
	unsigned int left = screen->width ? screen->width - width - FIGURES_WIDTH : 0;
	char title[TITLE_BYTES];
	FILE *out = screen->out;
	int before = v->origins->count > 1 ? fprintf(out, "%u/", s->task->machine) : 0;

	fxt_print_title(out, sleeper_title(title, v, s), width - 1 - before);
	fprintf(out, " %-7s ", fxt_sleep_state_names[s->state]);
	fxt_print_title(out, waker_title(title, v, s), WAKER_WIDTH);
	fprintf(out, " %6llu %11.3f %7.3f", s->count, s->ns / 1e6, s->longest / 1e6);
	if (s->function) {
		fputs(screen->width && left < FUNCTION_WIDTH ? "\n    in " : "  ", out);
		fxt_print_cell(out, s->function, 0);
	}
	fputc('\n', out);
}

static void text_put(const struct fxt_sleeps_view *v)
{
	char nobody[FXT_NOBODY_BYTES];
	struct fxt_screen screen;
	unsigned int width;
	size_t i;

	fxt_screen_init(&screen);
	fxt_origins_text(&screen, v->origins);
	if (!v->rows->count) {
		if (fxt_selection_tasks_any(v->selection) && fxt_nobody_silent(v->selection, v->origins))
			fprintf(screen.out, "%s\n", fxt_nobody_text(nobody, v->selection, v->origins));
		else
			fputs("no such thread slept\n", screen.out);
		return;
	}
	width = title_width(&screen, v);
	fxt_screen_table(&screen, "sleeper", width, "state   ended by              times   asleep ms  max ms");
	for (i = 0; i < rows_printed(v); i++)
		row_put(&screen, v, v->rows->rows[i].sum, width);
	fxt_screen_more(&screen, i, v->rows->count);
}

static void csv_put(FILE *out, const struct fxt_sleeps_view *v)
{
	char title[TITLE_BYTES];
	size_t i;

	fputs("key,sleeper,state,function,context,waker_key,waker,count,ns,longest_ns,longest_at_ns,machine\n", out);
	for (i = 0; i < rows_printed(v); i++) {
		const struct fxt_sleep *s = v->rows->rows[i].sum;

		fprintf(out, "%llu,", s->task->key);
		fxt_csv_text(out, sleeper_title(title, v, s));
		fprintf(out, ",%s,", fxt_sleep_state_names[s->state]);
		fxt_csv_text(out, s->function);
		fprintf(out, ",%s,", s->context == FXT_SLEEP_OPEN ? "" : fxt_context_name(s->context));
		if (s->waker)
			fprintf(out, "%llu", s->waker->key);
		fputc(',', out);
		fxt_csv_text(out, s->context == FXT_SLEEP_OPEN ? NULL : waker_title(title, v, s));
		fprintf(out, ",%llu,%llu,%llu,%llu,%u\n", s->count, s->ns, s->longest, s->longest_at, s->task->machine);
	}
}

/* Writes a thread, or a group and its name. */
static void subject_json(struct fxt_json_writer *w, const struct fxt_sleeps_view *v, const struct fxt_task *task,
			 const char *name)
{
	if (v->rows->by == FXT_BY_THREAD) {
		fxt_task_json(w, task);
		return;
	}
	fxt_json_put_number(w, "machine", task->machine);
	if (v->rows->by == FXT_BY_PROCESS && task->process) {
		fxt_json_put_number(w, "key", task->process->key);
		fxt_json_put_number(w, "pid", task->process->pid);
	}
	fxt_json_put_string(w, fxt_report_by_names[v->rows->by], name);
}

static void row_json(struct fxt_json_writer *w, const struct fxt_sleeps_view *v, const struct fxt_sleep *s)
{
	fxt_json_open(w, '{');
	subject_json(w, v, s->task, s->name);
	fxt_json_put_string(w, "state", fxt_sleep_state_names[s->state]);
	fxt_json_put_string(w, "function", s->function);
	fxt_json_put_string(w, "context", s->context == FXT_SLEEP_OPEN ? NULL : fxt_context_name(s->context));
	fxt_json_key(w, "waker");
	if (s->waker) {
		fxt_json_open(w, '{');
		subject_json(w, v, s->waker, s->waker_name);
		fxt_json_close(w, '}');
	} else {
		fxt_json_null(w);
	}
	fxt_json_put_number(w, "count", s->count);
	fxt_json_put_number(w, "ns", s->ns);
	fxt_json_put_number(w, "longest_ns", s->longest);
	fxt_json_put_number(w, "longest_at_ns", s->longest_at);
	fxt_json_close(w, '}');
}

static int json_put(FILE *out, const struct fxt_sleeps_view *v)
{
	struct fxt_json_writer w = { 0 };
	size_t i;
	int err = 0;

	fxt_json_open(&w, '{');
	fxt_json_put_number(&w, "version", VERSION);
	fxt_origins_json(&w, v->origins);
	fxt_json_key(&w, "sleeps");
	fxt_json_open(&w, '[');
	for (i = 0; i < rows_printed(v) && !err; i++) {
		row_json(&w, v, v->rows->rows[i].sum);
		if (w.text.length > FLUSH_BYTES)
			err = fxt_json_print(&w, out);
	}
	fxt_json_close(&w, ']');
	return fxt_json_finish(&w, out, err);
}

int fxt_sleeps_print(const struct fxt_sleeps_view *v)
{
	if (v->format && !strcmp(v->format, "json"))
		return json_put(stdout, v);
	if (v->format)
		csv_put(stdout, v);
	else
		text_put(v);
	return 0;
}
