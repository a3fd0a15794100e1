// SPDX-License-Identifier: GPL-2.0-only
/* Sums of sleeps by reason, or by lock, as text, CSV and JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/print.h"
#include "show/reasons.h"
#include "show/report.h"
#include "util/csv.h"
#include "util/utf8.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)
#define TITLE_WIDTH	24u	/* at least; wider where titles are longer and the line has columns left */
#define FIGURES_WIDTH	54u
#define HOLDERS_SHOWN	3u
/* Numbers of sleeps that give meaningful percentiles, as in a report. */
#define P99_LEAST	100u

static int row_init(struct fxt_reason_text *row, const struct fxt_reason_row *of)
{
	const struct fxt_reason_sum *s = of->sum;

	*row = (struct fxt_reason_text){ .sum = s, .machine = of->m->tasks.machine };
	row->call = s->key.call ? fxt_wait_call(&of->m->calls, &s->reason, row->call_room) : "";
	fxt_wait_object(row->object, &s->reason);
	fxt_wait_name(row->name, &of->m->wait_names, &of->m->tasks, &s->reason);
	return fxt_reason_figures_init(&row->figures, s);
}

const char *fxt_reason_title(char text[FXT_REASON_TITLE_BYTES], const struct fxt_reason_text *row)
{
	/* The name of a futex's object is that of its call. */
	bool both = *row->call && *row->object && row->sum->key.kind != FXT_ON_FUTEX;
	const char *what = *row->object ? row->object : *row->call ? row->call : fxt_wait_class_name(row->sum->key.wait);

	snprintf(text, FXT_REASON_TITLE_BYTES, "%s%s%s%s%s%s%s%s", both ? row->call : "", both ? " " : "", row->name,
		 *row->name ? " (" : "", what, *row->name ? ")" : "", row->sum->name ? " of " : "",
		 row->sum->name ? row->sum->name : "");
	return text;
}

const char *fxt_reason_holders(char text[FXT_REASON_HOLDERS_BYTES], const struct fxt_reason_text *row)
{
	unsigned int i, others = row->sum->holders.used;
	char title[FXT_TASK_NAME_BYTES + 64];
	__u64 shown = 0;
	int used = 0;

	text[0] = '\0';
	for (i = 0; i < row->sum->holders.used && i < HOLDERS_SHOWN; i++, others--) {
		const struct fxt_waker_count *holder = &row->figures.holders[i];

		used += snprintf(text + used, FXT_REASON_HOLDERS_BYTES - used, "%s%s %.0f %%", i ? ", " : "",
				 fxt_task_title(title, sizeof(title), holder->task), 100.0 * holder->count / row->sum->ns);
		shown += holder->count;
	}
	if (others)
		snprintf(text + used, FXT_REASON_HOLDERS_BYTES - used, ", %u others %.0f %%", others,
			 100.0 * (row->figures.held - shown) / row->sum->ns);
	return text;
}

static size_t rows_printed(const struct fxt_reasons_view *v)
{
	return v->top && v->top < v->rows->count ? v->top : v->rows->count;
}

int fxt_reason_texts(const struct fxt_reasons_view *v, int (*put)(void *arg, const struct fxt_reason_text *row),
		     void *arg)
{
	struct fxt_reason_text row;
	size_t i;
	int err = 0;

	for (i = 0; i < rows_printed(v) && !err; i++) {
		err = row_init(&row, &v->rows->rows[i]);
		if (!err)
			err = put(arg, &row);
		fxt_reason_figures_uninit(&row.figures);
	}
	return err;
}

struct reasons_table {
	struct fxt_screen screen;
	const struct fxt_reasons_view *view;
	unsigned int width;	/* columns of titles */
};

static int title_measure(void *arg, const struct fxt_reason_text *row)
{
	struct reasons_table *t = arg;
	char title[FXT_REASON_TITLE_BYTES];
	size_t columns = fxt_utf8_columns(fxt_reason_title(title, row)) + 1;

	if (t->view->origins->count > 1)
		columns += snprintf(NULL, 0, "%u/", row->machine);
	t->width = columns > t->width ? columns : t->width;
	return 0;
}

static int row_text(void *arg, const struct fxt_reason_text *row)
{
	const struct reasons_table *t = arg;
	const struct fxt_reason_sum *s = row->sum;
	FILE *out = t->screen.out;
	char title[FXT_REASON_TITLE_BYTES], holders[FXT_REASON_HOLDERS_BYTES];
	int before = t->view->origins->count > 1 ? fprintf(out, "%u/", row->machine) : 0;

	fxt_print_title(out, fxt_reason_title(title, row), t->width - 1 - before);
	if (t->view->by == FXT_BY_REASON)
		fprintf(out, " %-7s", fxt_wait_class_name(s->key.wait));
	fprintf(out, " %7llu %11.3f %9.3f", s->count, s->ns / 1e6, s->longest / 1e6);
	if (s->waits.count < P99_LEAST)
		fprintf(out, " %9s", "-");
	else
		fprintf(out, " %9.3f", row->figures.p99 / 1e6);
	if (t->view->by == FXT_BY_LOCK)
		fprintf(out, " %4llu %8llu", s->waiters_max, s->handoffs);
	if (*fxt_reason_holders(holders, row)) {
		fputs(t->screen.width ? "\n    held by " : "  held by ", out);
		fxt_print_cell(out, holders, 0);
	}
	fputc('\n', out);
	return 0;
}

static int text_put(const struct fxt_reasons_view *v)
{
	struct reasons_table t = { .view = v };
	int err = fxt_reason_texts(v, title_measure, &t);

	fxt_screen_init(&t.screen);
	fxt_origins_text(&t.screen, v->origins);
	if (err)
		return err;
	if (!fxt_origins_reasons(v->origins))
		fputs("reasons of sleeps aren't known: the recording has none\n", t.screen.out);
	if (!v->rows->count) {
		fputs(v->by == FXT_BY_LOCK ? "no such thread is known to have waited for a lock\n" :
					     "no such thread slept\n", t.screen.out);
		return 0;
	}
	t.width = fxt_screen_title_width(&t.screen, t.width, TITLE_WIDTH, FIGURES_WIDTH);
	fxt_screen_table(&t.screen, fxt_report_by_names[v->by], t.width,
			 v->by == FXT_BY_LOCK ? "  waits    total ms    max ms    p99 ms most handoffs" :
						"class     waits    total ms    max ms    p99 ms");
	err = fxt_reason_texts(v, row_text, &t);
	fxt_screen_more(&t.screen, rows_printed(v), v->rows->count);
	return err;
}

static int row_csv(void *arg, const struct fxt_reason_text *row)
{
	const struct fxt_reason_sum *s = row->sum;
	FILE *out = arg;

	fprintf(out, "%s,", fxt_wait_class_name(s->key.wait));
	fxt_csv_text(out, *row->call ? row->call : NULL);
	fputc(',', out);
	fxt_csv_text(out, *row->object ? row->object : NULL);
	fputc(',', out);
	fxt_csv_text(out, s->name);
	fputc(',', out);
	if (s->process)
		fprintf(out, "%llu", s->process->pid);
	fprintf(out, ",%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu,", s->count, s->ns, s->longest, s->longest_at, row->figures.p50,
		row->figures.p99, s->waiters_max, s->handoffs, row->figures.held);
	if (row->figures.holders) {
		fxt_csv_text(out, row->figures.holders->task->name);
		fprintf(out, ",%llu,%llu", row->figures.holders->task->tid, row->figures.holders->count);
	} else {
		fputs(",,", out);
	}
	fprintf(out, ",%u,", row->machine);
	fxt_csv_text(out, *row->name ? row->name : NULL);
	fputc('\n', out);
	return 0;
}

struct reasons_json {
	struct fxt_json_writer writer;
	FILE *out;
};

static int row_json(void *arg, const struct fxt_reason_text *row)
{
	const struct fxt_reason_sum *s = row->sum;
	struct reasons_json *json = arg;
	struct fxt_json_writer *w = &json->writer;
	unsigned int i;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "machine", row->machine);
	fxt_json_put_string(w, "class", fxt_wait_class_name(s->key.wait));
	fxt_json_put_string(w, "call", *row->call ? row->call : NULL);
	fxt_json_put_string(w, "object", *row->object ? row->object : NULL);
	fxt_json_put_string(w, "object_name", *row->name ? row->name : NULL);
	fxt_json_put_string(w, "process", s->name);
	if (s->process)
		fxt_json_put_number(w, "pid", s->process->pid);
	else
		fxt_json_put_string(w, "pid", NULL);
	fxt_json_put_number(w, "count", s->count);
	fxt_json_put_number(w, "ns", s->ns);
	fxt_json_put_number(w, "longest_ns", s->longest);
	fxt_json_put_number(w, "longest_at_ns", s->longest_at);
	fxt_json_put_number(w, "longest_key", s->longest_of->key);
	fxt_json_put_number(w, "longest_tid", s->longest_of->tid);
	fxt_json_put_number(w, "p50_ns", row->figures.p50);
	fxt_json_put_number(w, "p99_ns", row->figures.p99);
	fxt_json_put_number(w, "waiters_max", s->waiters_max);
	fxt_json_put_number(w, "handoffs", s->handoffs);
	fxt_json_put_number(w, "held_ns", row->figures.held);
	fxt_json_key(w, "holders");
	fxt_json_open(w, '[');
	for (i = 0; i < s->holders.used; i++) {
		fxt_json_open(w, '{');
		fxt_json_put_number(w, "key", row->figures.holders[i].task->key);
		fxt_json_put_number(w, "tid", row->figures.holders[i].task->tid);
		fxt_json_put_string(w, "comm", row->figures.holders[i].task->name);
		fxt_json_put_number(w, "ns", row->figures.holders[i].count);
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, ']');
	fxt_json_close(w, '}');
	return w->text.length > FLUSH_BYTES ? fxt_json_print(w, json->out) : 0;
}

int fxt_reasons_json(FILE *out, const struct fxt_reasons_view *v)
{
	struct reasons_json json = { .out = out };
	struct fxt_json_writer *w = &json.writer;
	int err;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "version", VERSION);
	fxt_origins_json(w, v->origins);
	fxt_json_key(w, fxt_report_by_arrays[v->by]);
	fxt_json_open(w, '[');
	err = fxt_reason_texts(v, row_json, &json);
	fxt_json_close(w, ']');
	return fxt_json_finish(w, out, err);
}

int fxt_reasons_print(const struct fxt_reasons_view *v)
{
	if (!v->format)
		return text_put(v);
	if (!strcmp(v->format, "json"))
		return fxt_reasons_json(stdout, v);
	puts("class,call,object,process,pid,count,ns,longest_ns,longest_at_ns,p50_ns,p99_ns,waiters_max,handoffs,held_ns,"
	     "holder,holder_tid,holder_ns,machine,object_name");
	return fxt_reason_texts(v, row_csv, stdout);
}
