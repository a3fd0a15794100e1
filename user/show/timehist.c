// SPDX-License-Identifier: GPL-2.0-only
/* Rows of context switches, in the format of perf sched timehist. */
#include <errno.h>
#include <string.h>

#include "analyze/wakers.h"
#include "show/report.h"
#include "show/timehist.h"
#include "util/csv.h"
#include "util/digits.h"
#include "util/time.h"
#include "util/utf8.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)
#define NAME_WIDTH	30u
#define ROW_BYTES	512u

void fxt_timehist_head(const struct fxt_screen *screen, struct fxt_timehist_view *v, const char *file)
{
	switch (v->format) {
	case FXT_TIMEHIST_TEXT:
		fputs(v->several ? "machine " : "", v->out);
		fxt_screen_bold(screen, "           time    cpu  task name                       wait time  "
				"sch delay   run time  state  from  waker\n"
				"                        [tid/pid]                          (msec)     "
				"(msec)     (msec)");
		fputs("--------------- ------  ------------------------------  ---------  ---------  "
		      "---------  -----  ----  --------------------\n", v->out);
		break;
	case FXT_TIMEHIST_CSV:
		fputs("time_ns,cpu,key,tid,pid,comm,wait_ns,delay_ns,run_ns,state,from_cpu,waker_key,"
		      "waker_tid,waker_comm,waker_context,machine,throttled_ns\n", v->out);
		break;
	case FXT_TIMEHIST_JSON:
		fxt_json_open(&v->json, '{');
		fxt_json_put_number(&v->json, "version", VERSION);
		fxt_json_put_string(&v->json, "file", file);
		fxt_json_key(&v->json, "switches");
		fxt_json_open(&v->json, '[');
		break;
	}
}

/* Puts the tool's own text; fxt_utf8_show() puts a trace's names. */
static inline char *text_put(char *at, const char *text)
{
	for (; *text; text++)
		*at++ = *text;
	return at;
}

/* Puts a column of spaces, to be overwritten from its start; returns its end. */
static inline char *column(char *at, unsigned int width)
{
	memset(at, ' ', width);
	return at + width;
}

static inline char *later(char *a, char *b)
{
	return a > b ? a : b;
}

/* Puts "comm[tid/pid]", as perf does: with the process if the thread isn't its first one. */
static char *name_put(char *at, const struct fxt_task *task)
{
	if (!task->key)
		return text_put(at, "<idle>");
	at = fxt_utf8_show(at, task->name);
	*at++ = '[';
	at = fxt_digits(at, task->tid);
	if (task->process && task->process->pid != task->tid) {
		*at++ = '/';
		at = fxt_digits(at, task->process->pid);
	}
	*at++ = ']';
	return at;
}

/* Puts the thread that woke another, and its context if it was only interrupted; or "timer". */
static char *waker_put(char *at, const struct fxt_timehist_row *r)
{
	if (fxt_context_is_timer(r->context))
		return text_put(at, "timer");
	at = name_put(at, r->waker);
	if (!r->context)
		return at;
	*at++ = ' ';
	return text_put(at, fxt_context_name(r->context));
}

/* Puts milliseconds with three decimals, right-aligned to 11 columns; "?" for an unknown time. */
static char *ms_put(char *at, __u64 ns)
{
	__u64 us = ns / 1000, ms = us / 1000;
	char *end = column(at, 11), *first = end - 4;

	if (ns == FXT_TIMEHIST_UNKNOWN) {
		end[-1] = '?';
		return end;
	}
	if (ms >= 1000000) {
		end = first = fxt_digits(at + 1, ms);
		end += 4;
	} else {
		for (at = first; ms >= 10; ms /= 10)
			*--at = '0' + ms % 10;
		*--at = '0' + ms;
	}
	*first = '.';
	fxt_digits_padded(first + 1, us % 1000, 3);
	return end;
}

/* Puts seconds with six decimals, right-aligned to 15 columns. */
static char *seconds_put(char *at, __u64 ns)
{
	char digits[24];
	unsigned int length = fxt_digits(digits, ns / SECOND_NS) - digits, i;

	column(at, 8);
	at += length < 8 ? 8 - length : 0;
	for (i = 0; i < length; i++)
		*at++ = digits[i];
	*at++ = '.';
	return fxt_digits_padded(at, ns % SECOND_NS / 1000, 6);
}

void fxt_timehist_flush(struct fxt_timehist_view *v)
{
	if (v->rows.length)
		fwrite_unlocked(v->rows.bytes, 1, v->rows.length, v->out);
	v->rows.length = 0;
}

static int text_row(struct fxt_timehist_view *v, const struct fxt_timehist_row *r)
{
	char *line = fxt_buffer_room(&v->rows, ROW_BYTES), *at = line, *end;

	if (!line)
		return -ENOMEM;
	if (v->several) {
		end = column(at, 8);
		at = later(fxt_digits(at, r->task->machine), end);
	}
	at = seconds_put(at, r->ns);
	at = text_put(at, " [");
	at = r->cpu->id < 10000 ? fxt_digits_padded(at, r->cpu->id, 4) : fxt_digits(at, r->cpu->id);
	at = text_put(at, "]  ");
	end = column(at, NAME_WIDTH);
	at = later(name_put(at, r->task), end);
	at = ms_put(at, r->wait);
	at = ms_put(at, r->delay);
	at = ms_put(at, r->run);
	end = column(at, 5 + 3 + 7) - 7;
	text_put(at + 5, r->task->key ? fxt_switch_view_letters(r->view) : "I");
	at = end;
	if (r->from_cpu >= 0)
		at = fxt_digits(end + 2, r->from_cpu);
	if (r->waker)
		at = waker_put(later(at, end + 7), r);
	while (at[-1] == ' ')
		at--;
	*at++ = '\n';
	v->rows.length += at - line;
	if (v->rows.length > FLUSH_BYTES)
		fxt_timehist_flush(v);
	return 0;
}

static void csv_number(FILE *out, __u64 number)
{
	char digits[24], *end = fxt_digits(digits, number);

	if (number != FXT_TIMEHIST_UNKNOWN)
		fwrite_unlocked(digits, 1, end - digits, out);
	fputc_unlocked(',', out);
}

static void csv_name(FILE *out, const char *name)
{
	fxt_csv_text(out, name);
	fputc_unlocked(',', out);
}

/* Writes the waker's columns.  A timer is not a thread. */
static void csv_waker(FILE *out, const struct fxt_timehist_row *r)
{
	if (!r->waker) {
		fputs_unlocked(",,,", out);
		return;
	}
	if (fxt_context_is_timer(r->context)) {
		fputs_unlocked(",,timer,", out);
	} else {
		csv_number(out, r->waker->key);
		csv_number(out, r->waker->tid);
		csv_name(out, r->waker->name);
	}
	fputs_unlocked(fxt_context_name(r->context), out);
}

static void csv_row(struct fxt_timehist_view *v, const struct fxt_timehist_row *r)
{
	const struct fxt_process *process = r->task->process;

	csv_number(v->out, r->ns);
	csv_number(v->out, r->cpu->id);
	csv_number(v->out, r->task->key);
	csv_number(v->out, r->task->tid);
	csv_number(v->out, process ? process->pid : FXT_TIMEHIST_UNKNOWN);
	csv_name(v->out, r->task->name);
	csv_number(v->out, r->wait);
	csv_number(v->out, r->delay);
	csv_number(v->out, r->run);
	csv_name(v->out, fxt_switch_view_letters(r->view));
	csv_number(v->out, r->from_cpu);
	csv_waker(v->out, r);
	fprintf(v->out, ",%u,", r->task->machine);
	if (r->throttled != FXT_TIMEHIST_UNKNOWN)
		fprintf(v->out, "%llu", r->throttled);
	fputc_unlocked('\n', v->out);
}

static void json_known(struct fxt_json_writer *w, const char *key, __u64 number)
{
	if (number == FXT_TIMEHIST_UNKNOWN)
		fxt_json_put_string(w, key, NULL);
	else
		fxt_json_put_number(w, key, number);
}

static int json_row(struct fxt_timehist_view *v, const struct fxt_timehist_row *r)
{
	struct fxt_json_writer *w = &v->json;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "time_ns", r->ns);
	fxt_json_put_number(w, "cpu", r->cpu->id);
	fxt_task_json(w, r->task);
	json_known(w, "wait_ns", r->wait);
	json_known(w, "delay_ns", r->delay);
	json_known(w, "throttled_ns", r->throttled);
	json_known(w, "run_ns", r->run);
	fxt_json_put_string(w, "state", fxt_switch_view_letters(r->view));
	json_known(w, "from_cpu", r->from_cpu);
	fxt_json_key(w, "waker");
	if (r->waker) {
		fxt_json_open(w, '{');
		fxt_waker_json(w, r->waker, r->context);
		fxt_json_close(w, '}');
	} else {
		fxt_json_null(w);
	}
	fxt_json_close(w, '}');
	return w->text.length > FLUSH_BYTES ? fxt_json_print(w, v->out) : 0;
}

int fxt_timehist_put(void *view, const struct fxt_timehist_row *r)
{
	struct fxt_timehist_view *v = view;

	if (!v->left || (!r->task->key && !v->idle) || !fxt_selection_cpu(v->selection, r->cpu->id) ||
	    (fxt_selection_tasks_any(v->selection) && !fxt_selection_task(v->selection, r->task)))
		return 0;
	v->left--;
	v->any = true;
	if (v->format == FXT_TIMEHIST_JSON)
		return json_row(v, r);
	if (v->format == FXT_TIMEHIST_CSV)
		csv_row(v, r);
	else
		return text_row(v, r);
	return 0;
}

int fxt_timehist_foot(struct fxt_timehist_view *v)
{
	int err;

	fxt_timehist_flush(v);
	if (v->format == FXT_TIMEHIST_TEXT && !v->any)
		fprintf(v->out, "no %sthread left %s CPU in that time\n",
			fxt_selection_tasks_any(v->selection) ? "such " : "", v->selection->cpus.count ? "such a" : "a");
	if (v->format != FXT_TIMEHIST_JSON)
		return 0;
	fxt_json_close(&v->json, ']');
	fxt_json_close(&v->json, '}');
	err = fxt_json_print(&v->json, v->out);
	fputc('\n', v->out);
	fxt_buffer_uninit(&v->json.text);
	return err;
}
