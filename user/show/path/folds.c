// SPDX-License-Identifier: GPL-2.0-only
/* Sums of the segments of all windows, as text and as JSON. */
#include "show/path/folds.h"
#include "show/print.h"
#include "show/report.h"
#include "util/utf8.h"

#define FLUSH_BYTES	((size_t)64 << 10)
#define TITLE_WIDTH	28u	/* at least; wider where names are longer and there is space */
#define FIGURES_WIDTH	44u

/* Rows of the tables of culprits and of reasons in the text. */
#define MORE_MAX	10u
#define HEADS		" what                  ms       %      times"

void fxt_path_folds_init(struct fxt_path_folds *f, const struct fxt_path_view *view, struct fxt_spill *spill)
{
	f->view = view;
	fxt_path_sums_init(&f->sums, spill, view->by);
	fxt_path_sums_init(&f->behind, spill, view->by);
	fxt_path_sums_init(&f->reasons, spill, view->by);
}

void fxt_path_folds_uninit(struct fxt_path_folds *f)
{
	fxt_path_sums_uninit(&f->sums);
	fxt_path_sums_uninit(&f->behind);
	fxt_path_sums_uninit(&f->reasons);
}

int fxt_path_folds_add(struct fxt_path_folds *f, struct fxt_tasks *tasks, const struct fxt_segment *s, __u64 windows)
{
	__u64 ns = windows * (s->to - s->from);
	int err = fxt_path_sums_add(&f->sums, tasks, s, ns, windows);

	if (err)
		return err;
	if (s->kind == FXT_SEGMENT_WAIT)
		return fxt_path_sums_add_behind(&f->behind, tasks, s, ns, windows);
	return s->reason ? fxt_path_sums_add_reason(&f->reasons, s, ns, windows) : 0;
}

int fxt_path_folds_add_sum(struct fxt_path_folds *f, struct fxt_tasks *tasks, const struct fxt_segment *s, __u64 ns,
			   __u64 count, bool behind)
{
	return behind ? fxt_path_sums_add_behind(&f->behind, tasks, s, ns, count) :
			fxt_path_sums_add(&f->sums, tasks, s, ns, count);
}

void fxt_path_folds_sort(struct fxt_path_folds *f)
{
	fxt_path_sums_sort(&f->sums);
	fxt_path_sums_sort(&f->behind);
	fxt_path_sums_sort(&f->reasons);
}

/* Writes the members of a row's group: a thread as in "sum", other groups as in blame. */
static void subject_json(struct fxt_json_writer *w, struct fxt_path_folds *f, const struct fxt_path_sum *sum)
{
	enum fxt_report_by by = f->view->by;

	if (by == FXT_BY_THREAD)
		fxt_json_put_number(w, "key", sum->key);
	fxt_json_put_number(w, "machine", sum->task->machine);
	if (by == FXT_BY_THREAD) {
		fxt_json_put_number(w, "tid", sum->task->tid);
		fxt_json_put_string(w, "comm", sum->task->name);
		return;
	}
	if (by == FXT_BY_PROCESS && sum->task->process) {
		fxt_json_put_number(w, "key", sum->task->process->key);
		fxt_json_put_number(w, "pid", sum->task->process->pid);
	}
	fxt_json_put_string(w, fxt_report_by_names[by], sum->name);
}

static void sum_json(struct fxt_json_writer *w, struct fxt_path_folds *f, const struct fxt_path_sum *sum)
{
	fxt_json_open(w, '{');
	subject_json(w, f, sum);
	fxt_json_put_string(w, "kind", fxt_segment_names[sum->kind]);
	fxt_json_put_number(w, "ns", sum->ns);
	fxt_json_put_number(w, "count", sum->count);
	fxt_json_close(w, '}');
}

/* Writes a sum like a culprit of blame. */
static void behind_json(struct fxt_json_writer *w, struct fxt_path_folds *f, const struct fxt_path_sum *sum)
{
	fxt_json_open(w, '{');
	fxt_json_put_string(w, "kind", fxt_culprit_names[sum->behind]);
	if (sum->task)
		subject_json(w, f, sum);
	else
		fxt_json_put_string(w, "name", sum->name);
	fxt_json_put_number(w, "ns", sum->ns);
	fxt_json_put_number(w, "count", sum->count);
	fxt_json_close(w, '}');
}

static void reason_json(struct fxt_json_writer *w, struct fxt_path_folds *f __attribute__((unused)), const struct fxt_path_sum *sum)
{
	fxt_json_open(w, '{');
	fxt_json_put_string(w, "reason", sum->name);
	fxt_json_put_string(w, "kind", fxt_segment_names[sum->kind]);
	fxt_json_put_number(w, "ns", sum->ns);
	fxt_json_put_number(w, "count", sum->count);
	fxt_json_close(w, '}');
}

static int sums_json(struct fxt_json_writer *w, FILE *out, struct fxt_path_folds *f, const struct fxt_path_sums *sums,
		     void (*put)(struct fxt_json_writer *w, struct fxt_path_folds *f, const struct fxt_path_sum *sum))
{
	size_t i;
	int err = 0;

	fxt_json_open(w, '[');
	for (i = 0; i < sums->count && !err; i++) {
		put(w, f, &sums->rows[i]);
		if (w->text.length > FLUSH_BYTES)
			err = fxt_json_print(w, out);
	}
	fxt_json_close(w, ']');
	return err;
}

int fxt_path_folds_json(struct fxt_json_writer *w, FILE *out, struct fxt_path_folds *f)
{
	int err;

	fxt_json_key(w, "sum");
	err = sums_json(w, out, f, &f->sums, sum_json);
	fxt_json_key(w, "behind");
	if (!err)
		err = sums_json(w, out, f, &f->behind, behind_json);
	fxt_json_key(w, "reasons");
	return err ? err : sums_json(w, out, f, &f->reasons, reason_json);
}

static const char *sum_title(char *text, size_t room, struct fxt_path_folds *f, const struct fxt_path_sum *sum)
{
	if (sum->task)
		return fxt_group_title(text, room, f->view->by, sum->task, sum->name);
	return fxt_culprit_title(text, room, &(struct fxt_culprit){ sum->behind, sum->name, 0 });
}

/* Prints a row's title, after its machine where there are several. */
static void title_put(FILE *out, struct fxt_path_folds *f, const struct fxt_path_sums *sums, const struct fxt_path_sum *sum,
		      unsigned int width)
{
	char title[FXT_TASK_NAME_BYTES + 32];
	const char *text = sums == &f->reasons ? sum->name : sum_title(title, sizeof(title), f, sum);
	int before;

	before = sum->task && f->view->origins->count > 1 ? fprintf(out, "%u/", sum->task->machine) : 0;

	fxt_print_title(out, text, width - before);
}

static size_t rows_of(struct fxt_path_folds *f, const struct fxt_path_sums *sums)
{
	return f->view->top && f->view->top < sums->count ? f->view->top : sums->count;
}

/* Returns the width of the longest title, as far as a line has space. */
static unsigned int title_width(struct fxt_path_folds *f, const struct fxt_screen *screen)
{
	unsigned int longest = 0;
	char title[FXT_TASK_NAME_BYTES + 32];
	size_t i, columns;

	for (i = 0; i < rows_of(f, &f->sums); i++) {
		columns = fxt_utf8_columns(sum_title(title, sizeof(title), f, &f->sums.rows[i]));
		longest = columns > longest ? columns : longest;
	}
	return fxt_screen_title_width(screen, longest, TITLE_WIDTH, FIGURES_WIDTH);
}

/* Prints rows of a table, and the number of further rows. */
static void sums_text(const struct fxt_screen *screen, struct fxt_path_folds *f, const struct fxt_path_sums *sums, size_t rows,
		      unsigned int width)
{
	FILE *out = screen->out;
	size_t i;

	for (i = 0; i < rows; i++) {
		const struct fxt_path_sum *sum = &sums->rows[i];

		title_put(out, f, sums, sum, width);
		fprintf(out, " %-9s %14.3f %7.2f %10llu\n", sums == &f->behind ? "" : fxt_segment_names[sum->kind], sum->ns / 1e6,
			100.0 * sum->ns / sums->ns, sum->count);
	}
	fxt_screen_more(screen, rows, sums->count);
}

/* Prints a further table, of the greatest sums. */
static void more_text(const struct fxt_screen *screen, struct fxt_path_folds *f, const struct fxt_path_sums *sums,
		      const char *title, unsigned int width)
{
	if (!sums->count)
		return;
	fputc('\n', screen->out);
	fxt_screen_table(screen, title, width, sums == &f->behind ? "                       ms       %      times" : HEADS);
	sums_text(screen, f, sums, f->view->segments && sums->count > MORE_MAX ? MORE_MAX : sums->count, width);
}

void fxt_path_folds_text(const struct fxt_screen *screen, struct fxt_path_folds *f)
{
	unsigned int width = title_width(f, screen);

	fxt_screen_table(screen, "on the critical path", width, HEADS);
	sums_text(screen, f, &f->sums, rows_of(f, &f->sums), width);
	more_text(screen, f, &f->behind, "what its waits were behind", width);
	more_text(screen, f, &f->reasons, "where it slept", width);
}
