// SPDX-License-Identifier: GPL-2.0-only
/* Causes of each thread's waits, as text, CSV and JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/blame.h"
#include "show/print.h"
#include "show/report.h"
#include "show/waits.h"
#include "util/csv.h"
#include "util/time.h"
#include "util/utf8.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)

/* Culprits of a victim in the text; the others are summed up. */
#define CULPRITS_MAX	5u
/* Where rows are limited: number of victims that have culprits, and number of their culprits. */
#define LIMITED_VICTIMS	3u
#define LIMITED_CULPRITS	3u
/* wider where names are longer and the line has columns left, narrower on a narrow terminal */
#define TITLE_WIDTH	32u
#define TITLE_LEAST	25u
#define FIGURES_WIDTH	55u

/* Returns the title of a row or a culprit: a thread, or a group of threads. */
static const char *title_of(char *text, size_t room, const struct fxt_blame_view *v,
			    const struct fxt_task *task, const char *name)
{
	return fxt_group_title(text, room, v->matrix->by, task, name);
}

static const char *culprit_title(char *text, size_t room, const struct fxt_blame_view *v,
				 const struct fxt_culprit *c)
{
	const char *name;
	int err;

	if (c->kind != FXT_CULPRIT_THREAD)
		return fxt_culprit_title(text, room, c);
	fxt_matrix_common(v->matrix, c->what, &name, &err);
	return title_of(text, room, v, c->what, err ? NULL : name);
}

/* Returns the title in text, where a thread has its class. */
static const char *title_shown(char *text, size_t room, const struct fxt_blame_view *v, const struct fxt_task *task,
			       const char *name)
{
	if (v->matrix->by != FXT_BY_THREAD)
		return title_of(text, room, v, task, name);
	return fxt_task_title_class(text, room, task);
}

static const char *culprit_shown(char *text, size_t room, const struct fxt_blame_view *v, const struct fxt_culprit *c)
{
	return c->kind == FXT_CULPRIT_THREAD && v->matrix->by == FXT_BY_THREAD ? title_shown(text, room, v, c->what, NULL) :
	       culprit_title(text, room, v, c);
}

/* Returns the width of the longest control group or reason, as far as a line has space: other names are short. */
static unsigned int title_width(const struct fxt_screen *screen, const struct fxt_blame_view *v)
{
	unsigned int least = screen->width && screen->width < TITLE_WIDTH + FIGURES_WIDTH ? TITLE_LEAST : TITLE_WIDTH;
	unsigned int longest = least;
	const struct fxt_suspects *s = v->matrix->suspects;
	char title[FXT_CULPRIT_TITLE_BYTES];
	size_t columns;
	__u32 i;

	if (v->matrix->by != FXT_BY_CGROUP && v->matrix->by != FXT_BY_CONTAINER && !v->sleeps)
		return longest;
	for (i = 0; i < s->count; i++) {
		columns = fxt_utf8_columns(culprit_title(title, sizeof(title), v, &s->of[i])) + 4;
		longest = columns > longest ? columns : longest;
	}
	for (i = 0; i < v->matrix->count; i++) {
		columns = v->matrix->rows[i].name ? fxt_utf8_columns(v->matrix->rows[i].name) + 2 : 0;
		longest = columns > longest ? columns : longest;
	}
	return fxt_screen_title_width(screen, longest, least, FIGURES_WIDTH);
}

static void culprits_text(const struct fxt_blame_view *v, FILE *out, const struct fxt_culprits *culprits,
			  unsigned int max, unsigned int width)
{
	__u32 count;
	struct fxt_culprit *sorted = fxt_culprits_sorted(culprits, v->matrix->suspects, max, &count);
	char title[FXT_CULPRIT_TITLE_BYTES];
	__u64 rest = culprits->ns;
	char others[16] = "?";
	__u32 i;

	for (i = 0; i < count && i < max; i++) {
		fputs("    ", out);
		fxt_print_title(out, culprit_shown(title, sizeof(title), v, &sorted[i]), width - 4);
		fprintf(out, " %14.3f %7.2f\n", sorted[i].ns / 1e6, 100.0 * sorted[i].ns / culprits->ns);
		rest -= sorted[i].ns;
	}
	if (culprits->other_count != FXT_CULPRITS_UNCOUNTED)
		snprintf(others, sizeof(others), "%u", count - i + culprits->other_count);
	if (rest)
		fprintf(out, "    (%-6s others) %*s %14.3f %7.2f\n", others, (int)width - 20, "",
			rest / 1e6, 100.0 * rest / culprits->ns);
	free(sorted);
}

/* Prints a row's title, after its machine if there are several. */
static void row_title_put(FILE *out, const struct fxt_blame_view *v, const struct fxt_matrix_row *row,
			  unsigned int width)
{
	char title[FXT_TASK_NAME_BYTES + 64];
	int before;

	before = v->origins->count > 1 ? fprintf(out, "%u/", row->task->machine) : 0;
	fxt_print_title(out, title_shown(title, sizeof(title), v, row->task, row->name), width - before);
}

/* Prints a share in percent; "?" where no control group of the culprits is known, or the victim's isn't. */
static void share_put(FILE *out, const struct fxt_matrix_share *share, __u64 part, __u64 wait)
{
	if (share->unknown && !share->own && !share->foreign)
		fprintf(out, " %9s", "?");
	else
		fprintf(out, " %9.2f", 100.0 * part / wait);
}

static void waited_text(FILE *out, const struct fxt_matrix *x)
{
	const struct fxt_matrix_share *share = &x->share;

	fprintf(out, "%.3f ms waited in all", x->wait / 1e6);
	if (share->own || share->foreign || !share->unknown)
		fprintf(out, ": behind threads of the own control group %.2f %%, of others %.2f %%",
			100.0 * share->own / x->wait, 100.0 * share->foreign / x->wait);
	if (share->unknown)
		fprintf(out, "%s of unknown control groups %.2f %%", share->own || share->foreign ? "," : ": behind threads",
			100.0 * share->unknown / x->wait);
	fputs("\n\n", out);
}

static void rows_text(const struct fxt_screen *screen, const struct fxt_blame_view *v, unsigned int width)
{
	const struct fxt_matrix *x = v->matrix;
	size_t i;

	if (v->limited && x->by == FXT_BY_COMM)
		fputs("threads of one name are summed: --by=thread has each\n", screen->out);
	fxt_screen_table(screen, "victim", width, "      waited ms       %     own % foreign %  longest ms");
	for (i = 0; i < x->count && (!v->top || i < v->top); i++) {
		const struct fxt_matrix_row *row = &x->rows[i];

		row_title_put(screen->out, v, row, width);
		fprintf(screen->out, " %14.3f %7.2f", row->wait / 1e6, 100.0 * row->wait / x->wait);
		share_put(screen->out, &row->share, row->share.own, row->wait);
		share_put(screen->out, &row->share, row->share.foreign, row->wait);
		fprintf(screen->out, " %11.3f\n", row->longest / 1e6);
		if (!v->limited || i < LIMITED_VICTIMS)
			culprits_text(v, screen->out, row->culprits, v->limited ? LIMITED_CULPRITS : CULPRITS_MAX, width);
	}
	fxt_screen_more(screen, i, x->count);
}

void fxt_blame_text(const struct fxt_screen *screen, const struct fxt_blame_view *v)
{
	unsigned int width = title_width(screen, v);
	const struct fxt_matrix *x = v->matrix;
	__u32 i;

	fxt_origins_text(screen, v->origins);
	if (!x->wait) {
		fprintf(screen->out, "no %sthread waited%s\n", v->chosen ? "such " : "", v->sleeps ? "" : " for a CPU");
		return;
	}
	waited_text(screen->out, x);
	fxt_screen_table(screen, v->sleeps ? "what threads waited for" : "what ran while threads waited", width, "             ms       %");
	culprits_text(v, screen->out, &x->all, 2 * CULPRITS_MAX, width);
	fputc('\n', screen->out);
	rows_text(screen, v, width);
	if (v->waits->worst) {
		fputc('\n', screen->out);
		fxt_screen_bold(screen, "the longest waits");
	}
	for (i = 0; i < v->origins->count; i++)
		fxt_waits_text(screen, &v->waits[i], v->origins->count > 1);
}

void fxt_blame_csv(FILE *out, const struct fxt_blame_view *v)
{
	const struct fxt_matrix *x = v->matrix;
	char title[FXT_CULPRIT_TITLE_BYTES];
	unsigned int k;
	size_t i;

	fputs("victim_key,victim,culprit_kind,culprit_key,culprit,ns,machine\n", out);
	for (i = 0; i < x->count && (!v->top || i < v->top); i++) {
		const struct fxt_matrix_row *row = &x->rows[i];
		__u32 count, machine;
		struct fxt_culprit *sorted = fxt_culprits_sorted(row->culprits, x->suspects, 0, &count);

		machine = row->task->machine;
		for (k = 0; k < count; k++) {
			const struct fxt_task *task = sorted[k].kind == FXT_CULPRIT_THREAD ? sorted[k].what : NULL;

			fprintf(out, "%llu,", row->key);
			fxt_csv_text(out, title_of(title, sizeof(title), v, row->task, row->name));
			fprintf(out, ",%s,", fxt_culprit_names[sorted[k].kind]);
			if (task)
				fprintf(out, "%llu", task->key);
			fputc(',', out);
			fxt_csv_text(out, culprit_title(title, sizeof(title), v, &sorted[k]));
			fprintf(out, ",%llu,%u\n", sorted[k].ns, machine);
		}
		if (row->culprits->others) {
			fprintf(out, "%llu,", row->key);
			fxt_csv_text(out, title_of(title, sizeof(title), v, row->task, row->name));
			fprintf(out, ",others,,,%llu,%u\n", row->culprits->others, machine);
		}
		free(sorted);
	}
}

/* Writes a thread, or the group that a representative thread stands for. */
static void subject_json(struct fxt_json_writer *w, const struct fxt_blame_view *v, const struct fxt_task *task)
{
	enum fxt_report_by by = v->matrix->by;
	const char *name;
	int err;

	if (by == FXT_BY_THREAD) {
		fxt_task_json(w, task);
		return;
	}
	fxt_matrix_common(v->matrix, task, &name, &err);
	if (by == FXT_BY_PROCESS && task->process) {
		fxt_json_put_number(w, "key", task->process->key);
		fxt_json_put_number(w, "pid", task->process->pid);
	}
	fxt_json_put_string(w, fxt_report_by_names[by], err ? NULL : name);
}

/* Writes the sum of culprits that have no sum of their own. */
static void others_json(struct fxt_json_writer *w, const struct fxt_culprits *culprits)
{
	fxt_json_open(w, '{');
	fxt_json_put_string(w, "kind", "others");
	if (culprits->other_count == FXT_CULPRITS_UNCOUNTED)
		fxt_json_put_string(w, "count", NULL);
	else
		fxt_json_put_number(w, "count", culprits->other_count);
	fxt_json_put_number(w, "ns", culprits->others);
	fxt_json_close(w, '}');
}

static void culprits_json(struct fxt_json_writer *w, const struct fxt_blame_view *v,
			  const struct fxt_culprits *culprits)
{
	__u32 count;
	struct fxt_culprit *sorted = fxt_culprits_sorted(culprits, v->matrix->suspects, v->culprits, &count);
	unsigned int i;

	fxt_json_key(w, "culprits");
	fxt_json_open(w, '[');
	for (i = 0; i < count && (!v->culprits || i < v->culprits); i++) {
		fxt_json_open(w, '{');
		fxt_json_put_string(w, "kind", fxt_culprit_names[sorted[i].kind]);
		if (sorted[i].kind == FXT_CULPRIT_THREAD)
			subject_json(w, v, sorted[i].what);
		else
			fxt_json_put_string(w, "name", sorted[i].what);
		fxt_json_put_number(w, "ns", sorted[i].ns);
		fxt_json_close(w, '}');
	}
	if (culprits->others && !v->culprits)
		others_json(w, culprits);
	fxt_json_close(w, ']');
	free(sorted);
}

/* Writes the longest waits, or all beyond a bound. */
static int waits_json(struct fxt_json_writer *w, FILE *out, const struct fxt_blame_view *v)
{
	const struct fxt_wait *wait;
	unsigned int i;
	int err = 0;
	__u32 k;

	fxt_json_key(w, v->waits->worst ? "worst" : "waits");
	fxt_json_open(w, '[');
	for (k = 0; k < v->origins->count && !err; k++) {
		for (i = 0; v->waits[k].worst && i < v->waits[k].count; i++)
			fxt_wait_json(w, &v->waits[k].worst[i]);
		for (wait = v->waits[k].first; wait && !err; wait = wait->next) {
			fxt_wait_json(w, wait);
			if (w->text.length > FLUSH_BYTES)
				err = fxt_json_print(w, out);
		}
	}
	fxt_json_close(w, ']');
	return err;
}

int fxt_blame_json(FILE *out, const struct fxt_blame_view *v)
{
	struct fxt_json_writer w = { 0 };
	size_t i;
	int err = 0;

	fxt_json_open(&w, '{');
	fxt_json_put_number(&w, "version", VERSION);
	if (!v->rows_only)
		fxt_origins_json(&w, v->origins);
	fxt_json_key(&w, "victims");
	fxt_json_open(&w, '[');
	for (i = 0; i < v->matrix->count && (!v->top || i < v->top) && !err; i++) {
		fxt_json_open(&w, '{');
		subject_json(&w, v, v->matrix->rows[i].task);
		fxt_json_put_number(&w, "wait_ns", v->matrix->rows[i].wait);
		fxt_json_put_number(&w, "wait_count", v->matrix->rows[i].waits);
		fxt_json_put_number(&w, "longest_ns", v->matrix->rows[i].longest);
		fxt_json_put_number(&w, "longest_from_ns", v->matrix->rows[i].longest_from);
		fxt_json_put_number(&w, "longest_key", v->matrix->rows[i].longest_key);
		culprits_json(&w, v, v->matrix->rows[i].culprits);
		fxt_json_close(&w, '}');
		if (w.text.length > FLUSH_BYTES)
			err = fxt_json_print(&w, out);
	}
	fxt_json_close(&w, ']');
	if (!err && !v->rows_only)
		err = waits_json(&w, out, v);
	return fxt_json_finish(&w, out, err);
}
