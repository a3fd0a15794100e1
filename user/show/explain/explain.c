// SPDX-License-Identifier: GPL-2.0-only
/* An explanation as text, markdown and JSON. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/explain/explain.h"
#include "show/print.h"
#include "util/utf8.h"

#define VERSION		1
/* Columns of a finding's share and time before its sentence. */
#define INDENT		20u
#define WIDTH		80u

/* Prints a text in lines of at most width columns, from a column on; the other lines start at indent. */
static void wrapped_put(FILE *out, const char *text, unsigned int at, unsigned int indent, unsigned int width)
{
	const char *word = text;

	while (*word) {
		size_t bytes = strcspn(word, " "), columns;
		char copy[512];

		snprintf(copy, sizeof(copy), "%.*s", (int)bytes, word);
		columns = fxt_utf8_columns(copy);
		if (word != text && width && at + 1 + columns > width) {
			fprintf(out, "\n%*s", indent, "");
			at = indent;
		} else if (word != text) {
			fputc(' ', out);
			at++;
		}
		fwrite(word, 1, bytes, out);
		at += columns;
		word += bytes + strspn(word + bytes, " ");
	}
	fputc('\n', out);
}

static unsigned int width_of(const struct fxt_screen *screen)
{
	return screen->width ? screen->width : WIDTH;
}

/* Returns the uncertainty of a share, in percent: twice its standard error; negative: not known. */
static double uncertainty(const struct fxt_explain *e, const struct fxt_found *f)
{
	return e->causes.slow_count < 2 || f->finding == FXT_FINDING_UNKNOWN ? -1 : 200 * sqrt(f->variance) / e->lateness;
}

/* Prints "  85 % +-3   36.5 ms ". */
static void figures_put(FILE *out, const struct fxt_explain *e, const struct fxt_found *f)
{
	double error = uncertainty(e, f);
	char margin[16] = "";

	if (error >= 0)
		snprintf(margin, sizeof(margin), "\302\261%.0f", ceil(error));
	/* The sign takes two bytes and one column. */
	fprintf(out, "%4.0f %%%-*s%7.*f ms  ", 100 * f->share, *margin ? 5 : 4, margin, f->ns < 1e6 ? 2 : 1, f->ns / 1e6);
}

static void moments_put(FILE *out, const struct fxt_explain *e, const struct fxt_found *f)
{
	const struct fxt_cause_moment *m = f->members[0]->moments;
	char title[FXT_TASK_NAME_BYTES + 64], time[FXT_EXPLAIN_TIME_BYTES];
	unsigned int i;

	for (i = 0; i < FXT_CAUSE_MOMENTS && m[i].ns; i++) {
		fprintf(out, "%*s--time=%s  %.3f ms of ", INDENT, "", fxt_explain_time(time, e, &m[i]), m[i].ns / 1e6);
		fxt_print_cell(out, fxt_task_title(title, sizeof(title), m[i].task), 0);
		fputc('\n', out);
	}
}

static void found_put(const struct fxt_screen *screen, const struct fxt_explain_view *v, const struct fxt_found *f, bool first)
{
	char *sentence = fxt_explain_sentence(v->explain, f), *command = fxt_explain_command(v, f);
	FILE *out = screen->out;

	figures_put(out, v->explain, f);
	wrapped_put(out, sentence ?: "", INDENT, INDENT, width_of(screen));
	if (first && f->members[0]) {
		moments_put(out, v->explain, f);
		fprintf(out, "%*s", INDENT, "");
		wrapped_put(out, fxt_finding_advices[f->finding], INDENT, INDENT, width_of(screen));
	}
	if (f->members[0])
		fprintf(out, "%*s%s\n", INDENT, "", command ?: "");
	free(sentence);
	free(command);
}

/* Prints the other programs that were late. */
static void others_put(FILE *out, const struct fxt_explain *e)
{
	unsigned int i;

	for (i = 0; i < FXT_EXPLAIN_OTHERS && e->others[i]; i++) {
		fputs(i ? ", " : "Late, too: ", out);
		fxt_print_cell(out, e->others[i]->name, 0);
	}
	if (i)
		fputs(" (--comm chooses one)\n", out);
}

/* Prints the data that a better answer would need. */
static void lacks_put(const struct fxt_screen *screen, const struct fxt_explain *e)
{
	if (!e->m->reasons)
		wrapped_put(screen->out, "This trace has no reasons of sleeps: a sleep is taken for a wait for work. \"fxtrec record\" records them.",
			    0, 0, width_of(screen));
	if (e->m->gaps.count)
		wrapped_put(screen->out, "Events were lost: units that overlap the losses are left out.", 0, 0, width_of(screen));
}

void fxt_explain_text(const struct fxt_screen *screen, const struct fxt_explain_view *v)
{
	char *summary = fxt_explain_summary(v->explain);
	size_t i;

	wrapped_put(screen->out, summary ?: "", 0, 0, width_of(screen));
	free(summary);
	if (v->explain->found_count)
		fputc('\n', screen->out);
	for (i = 0; i < v->explain->found_count; i++)
		found_put(screen, v, &v->explain->found[i], !i);
	if (v->explain->found_count)
		fputc('\n', screen->out);
	others_put(screen->out, v->explain);
	lacks_put(screen, v->explain);
}

void fxt_explain_markdown(FILE *out, const struct fxt_explain_view *v)
{
	char *summary = fxt_explain_summary(v->explain);
	size_t i;

	fprintf(out, "%s\n", summary ?: "");
	free(summary);
	if (v->explain->found_count)
		fputs("\n| share | time | finding | shown by |\n| ---: | ---: | --- | --- |\n", out);
	for (i = 0; i < v->explain->found_count; i++) {
		const struct fxt_found *f = &v->explain->found[i];
		char *sentence = fxt_explain_sentence(v->explain, f), *command = fxt_explain_command(v, f);
		const char *at;

		fprintf(out, "| %.0f %% | %.2f ms | ", 100 * f->share, f->ns / 1e6);
		/* A bar would end the cell. */
		for (at = sentence ?: ""; *at; at++)
			fputs(*at == '|' ? "\\|" : (char[]){ *at, '\0' }, out);
		if (f->members[0] && command)
			fprintf(out, " | `%s` |\n", command);
		else
			fputs(" | |\n", out);
		free(sentence);
		free(command);
	}
}

static void number_put(struct fxt_json_writer *w, const char *key, double value)
{
	fxt_json_key(w, key);
	fxt_json_signed(w, llround(value));
}

/* Writes a heap text, and frees it. */
static void text_put(struct fxt_json_writer *w, const char *key, char *text)
{
	fxt_json_put_string(w, key, text);
	w->text.failed |= !text;
	free(text);
}

static void cause_json(struct fxt_json_writer *w, const struct fxt_cause *c)
{
	fxt_json_open(w, '{');
	fxt_json_key(w, "thread");
	if (c->task) {
		fxt_json_open(w, '{');
		fxt_task_json(w, c->task);
		fxt_json_close(w, '}');
	} else {
		fxt_json_null(w);
	}
	number_put(w, "thread_count", c->threads);
	fxt_json_put_string(w, "object", c->key.object);
	number_put(w, "ran_ns", c->did[FXT_DID_RUN]);
	number_put(w, "waited_ns", c->did[FXT_DID_WAIT]);
	number_put(w, "slept_ns", c->did[FXT_DID_SLEEP]);
	number_put(w, "other_cpu_idle_ns", c->idle);
	fxt_json_close(w, '}');
}

static void found_json(struct fxt_json_writer *w, const struct fxt_explain_view *v, const struct fxt_found *f)
{
	const struct fxt_cause *first = f->members[0];
	char time[FXT_EXPLAIN_TIME_BYTES];
	double error = uncertainty(v->explain, f);
	size_t i;

	fxt_json_open(w, '{');
	fxt_json_put_string(w, "finding", fxt_finding_names[f->finding]);
	text_put(w, "text", fxt_explain_sentence(v->explain, f));
	fxt_json_key(w, "share");
	fxt_json_double(w, f->share);
	fxt_json_key(w, "uncertainty");
	if (error < 0)
		fxt_json_null(w);
	else
		fxt_json_double(w, error / 100);
	number_put(w, "ns", f->ns);
	fxt_json_put_string(w, "advice", fxt_finding_advices[f->finding]);
	text_put(w, "command", fxt_explain_command(v, f));
	number_put(w, "cause_count", f->count);
	fxt_json_key(w, "causes");
	fxt_json_open(w, '[');
	for (i = 0; i < FXT_FOUND_MEMBERS && f->members[i]; i++)
		cause_json(w, f->members[i]);
	fxt_json_close(w, ']');
	fxt_json_key(w, "moments");
	fxt_json_open(w, '[');
	for (i = 0; first && i < FXT_CAUSE_MOMENTS && first->moments[i].ns; i++) {
		fxt_json_open(w, '{');
		number_put(w, "from_ns", first->moments[i].from);
		number_put(w, "to_ns", first->moments[i].to);
		number_put(w, "key", first->moments[i].task->key);
		number_put(w, "tid", first->moments[i].task->tid);
		number_put(w, "ns", first->moments[i].ns);
		fxt_json_put_string(w, "time", fxt_explain_time(time, v->explain, &first->moments[i]));
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, ']');
	fxt_json_close(w, '}');
}

int fxt_explain_json(FILE *out, const struct fxt_explain_view *v)
{
	static const char *const kinds[] = { "request", "mark", "life" };
	struct fxt_json_writer w = { .depth = 0 };
	const struct fxt_explain *e = v->explain;
	bool known = e->answer != FXT_ANSWER_NOTHING;
	size_t i;

	fxt_json_open(&w, '{');
	fxt_json_key(&w, "version");
	fxt_json_number(&w, VERSION);
	fxt_origins_json(&w, v->origins);
	fxt_json_put_string(&w, "answer", fxt_answer_names[e->answer]);
	text_put(&w, "text", fxt_explain_summary(e));
	fxt_json_put_string(&w, "comm", e->group ? e->group->name : NULL);
	fxt_json_put_string(&w, "mark", e->mark);
	fxt_json_put_string(&w, "unit", known ? kinds[e->kind] : NULL);
	number_put(&w, "unit_count", e->count);
	number_put(&w, "p50_ns", e->p50);
	number_put(&w, "p99_ns", e->p99);
	number_put(&w, "max_ns", e->max);
	number_put(&w, "slow_count", e->slow_count);
	number_put(&w, "sample_count", e->causes.slow_count);
	number_put(&w, "slow_from_ns", e->slow_from);
	number_put(&w, "slow_ns", e->slow);
	number_put(&w, "ordinary_ns", e->ordinary);
	number_put(&w, "lateness_ns", e->found_count ? e->lateness : 0);
	fxt_json_key(&w, "reasons");
	fxt_json_bool(&w, e->m->reasons);
	fxt_json_key(&w, "others");
	fxt_json_open(&w, '[');
	for (i = 0; i < FXT_EXPLAIN_OTHERS && e->others[i]; i++)
		fxt_json_string(&w, e->others[i]->name, strlen(e->others[i]->name));
	fxt_json_close(&w, ']');
	fxt_json_key(&w, "findings");
	fxt_json_open(&w, '[');
	for (i = 0; i < e->found_count; i++)
		found_json(&w, v, &e->found[i]);
	fxt_json_close(&w, ']');
	return fxt_json_finish(&w, out, 0);
}
