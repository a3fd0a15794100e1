// SPDX-License-Identifier: GPL-2.0-only
/* Critical paths as text, as CSV and as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/path/path.h"
#include "show/path/folds.h"
#include "show/print.h"
#include "show/report.h"
#include "util/csv.h"
#include "util/time.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)
#define TITLE_WIDTH	28

struct path_printer {
	const struct fxt_path_view *v;
	FILE *out;
	struct fxt_json_writer json;
	struct fxt_path_folds folds;
	struct fxt_path *path;		/* the path that is being walked */
	__u64 ns;			/* time of all windows */
	size_t windows;
	struct fxt_path_window longest;
	__u64 segment_count;		/* number of segments of the window that was walked last */
	struct fxt_tape segments;	/* the segments of that window, in reverse, where all are printed */
	/* the longest segments of that window, the first of them first, where only the longest are printed */
	struct fxt_segment *greatest;
	size_t greatest_count;
	int (*keep)(struct path_printer *p, const struct fxt_segment *s);
};

#define REASON_BYTES	64u

/* Returns the reason of a segment; "idle CPU in C6" for a wait for an idle CPU. */
static const char *reason_of(char text[REASON_BYTES], const struct fxt_segment *s)
{
	if (s->kind != FXT_SEGMENT_WAIT || s->behind != FXT_CULPRIT_IDLE)
		return s->reason;
	snprintf(text, REASON_BYTES, "idle CPU%s%s", s->reason ? " in " : "", s->reason ? s->reason : "");
	return text;
}

static void segment_json(struct fxt_json_writer *w, const struct fxt_segment *s)
{
	char reason[REASON_BYTES];

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "from_ns", s->from);
	fxt_json_put_number(w, "to_ns", s->to);
	fxt_json_put_number(w, "key", s->task->key);
	fxt_json_put_number(w, "tid", s->task->tid);
	fxt_json_put_string(w, "comm", s->task->name);
	fxt_json_put_string(w, "kind", fxt_segment_names[s->kind]);
	if (s->culprit) {
		fxt_json_put_number(w, "culprit_tid", s->culprit->tid);
		fxt_json_put_string(w, "culprit_comm", s->culprit->name);
	} else {
		fxt_json_put_string(w, "culprit_tid", NULL);
		fxt_json_put_string(w, "culprit_comm", NULL);
	}
	fxt_json_put_string(w, "reason", reason_of(reason, s));
	fxt_json_close(w, '}');
}

/* Adds a segment of a walk to the sums. */
static int segment_fold(void *state, const struct fxt_segment *s, __u64 windows)
{
	struct path_printer *p = state;

	return fxt_path_folds_add(&p->folds, &p->path->m->tasks, s, windows);
}

static int sum_fold(void *state, const struct fxt_segment *s, __u64 ns, __u64 count, bool behind)
{
	struct path_printer *p = state;

	return fxt_path_folds_add_sum(&p->folds, &p->path->m->tasks, s, ns, count, behind);
}

static int all_keep(struct path_printer *p, const struct fxt_segment *s)
{
	return fxt_tape_put(&p->segments, s);
}

static int greatest_keep(struct path_printer *p, const struct fxt_segment *s)
{
	size_t at = p->greatest_count;

	if (at < p->v->segments)
		p->greatest_count++;
	else if (s->to - s->from <= p->greatest[at - 1].to - p->greatest[at - 1].from)
		return 0;
	else
		at--;
	for (; at && p->greatest[at - 1].to - p->greatest[at - 1].from < s->to - s->from; at--)
		p->greatest[at] = p->greatest[at - 1];
	p->greatest[at] = *s;
	return 0;
}

/* Adds a segment to the sums, and keeps it as far as it is printed. */
static int segment_keep(void *state, const struct fxt_segment *s, __u64 windows)
{
	struct path_printer *p = state;
	int err = segment_fold(p, s, windows);

	p->segment_count++;
	return err ? err : p->keep(p, s);
}

/* Prints the segments that were kept, the first one first. */
static int segments_put(struct path_printer *p, void (*put)(struct path_printer *p, const struct fxt_segment *s))
{
	struct fxt_segment s;
	__u64 i;
	int err = 0;

	for (i = p->segments.count; i && !err; i--) {
		err = fxt_tape_get(&p->segments, i - 1, &s);
		if (!err)
			put(p, &s);
		if (!err && p->json.text.length > FLUSH_BYTES)
			err = fxt_json_print(&p->json, p->out);
	}
	return err;
}

/* Adds a window to the sums, and keeps its segments as far as they are printed. */
static int window_walk(struct path_printer *p, const struct fxt_path_window *window)
{
	int err = fxt_tape_clear(&p->segments);

	p->segment_count = 0;
	return err ? err : fxt_path_walk(p->path, window, segment_keep, p);
}

static void segment_put_json(struct path_printer *p, const struct fxt_segment *s)
{
	segment_json(&p->json, s);
}

static int window_json(struct path_printer *p, const struct fxt_path_window *window)
{
	struct fxt_json_writer *w = &p->json;
	int err;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "from_ns", window->from);
	fxt_json_put_number(w, "to_ns", window->to);
	fxt_json_put_number(w, "key", window->key);
	fxt_json_put_number(w, "machine", window->task->machine);
	fxt_json_put_number(w, "tid", window->task->tid);
	fxt_json_put_string(w, "comm", window->task->name);
	fxt_json_key(w, "segments");
	fxt_json_open(w, '[');
	err = window_walk(p, window);
	if (!err)
		err = segments_put(p, segment_put_json);
	fxt_json_close(w, ']');
	fxt_json_close(w, '}');
	return err;
}

static void segment_put_csv(struct path_printer *p, const struct fxt_segment *s)
{
	char reason[REASON_BYTES];

	fprintf(p->out, "%llu,%llu,%llu,", s->from, s->to, s->task->tid);
	fxt_csv_text(p->out, s->task->name);
	fprintf(p->out, ",%s,", fxt_segment_names[s->kind]);
	if (s->culprit)
		fprintf(p->out, "%llu", s->culprit->tid);
	fputc(',', p->out);
	fxt_csv_text(p->out, reason_of(reason, s));
	fprintf(p->out, ",%llu,%u\n", s->task->key, s->task->machine);
}

static int window_csv(struct path_printer *p, const struct fxt_path_window *window)
{
	int err = window_walk(p, window);

	return err ? err : segments_put(p, segment_put_csv);
}

static int windows_put(struct path_printer *p,
		       int (*put)(struct path_printer *p, const struct fxt_path_window *window))
{
	size_t i;
	__u32 k;
	int err = 0;

	for (k = 0; k < p->v->origins->count; k++) {
		p->path = &p->v->paths[k];
		for (i = 0; i < p->path->windows.count && !err; i++)
			err = put(p, &p->path->windows.window[i]);
	}
	return err;
}

static int print_json(struct path_printer *p)
{
	int err;

	fxt_json_open(&p->json, '{');
	fxt_json_put_number(&p->json, "version", VERSION);
	fxt_origins_json(&p->json, p->v->origins);
	fxt_json_put_number(&p->json, "open", p->v->open);
	fxt_json_key(&p->json, "windows");
	fxt_json_open(&p->json, '[');
	err = windows_put(p, window_json);
	fxt_json_close(&p->json, ']');
	fxt_path_folds_sort(&p->folds);
	if (!err)
		err = fxt_path_folds_json(&p->json, p->out, &p->folds);
	fxt_json_close(&p->json, '}');
	if (!err)
		err = fxt_json_print(&p->json, p->out);
	fputc('\n', p->out);
	return err;
}

static const char *behind_title(char *text, size_t room, const struct fxt_segment *s)
{
	char reason[REASON_BYTES];

	if (s->culprit)
		return fxt_task_title_class(text, room, s->culprit);
	if (s->behind == FXT_CULPRIT_IDLE) {
		snprintf(text, room, "an %s", reason_of(reason, s));
		return text;
	}
	return fxt_culprit_title(text, room, &(struct fxt_culprit){ s->behind, s->reason, 0 });
}

static void segment_put_text(struct path_printer *p, const struct fxt_segment *s)
{
	FILE *out = p->out;
	char title[FXT_TASK_NAME_BYTES + 32];

	fprintf(out, "%6llu.%06llu %12.3f  ", s->from / SECOND_NS, s->from % SECOND_NS / 1000,
		(s->to - s->from) / 1e6);
	fxt_print_cell(out, fxt_task_title(title, sizeof(title), s->task), TITLE_WIDTH);
	fprintf(out, " %-9s ", fxt_segment_names[s->kind]);
	if (s->kind == FXT_SEGMENT_WAIT && s->behind == FXT_CULPRIT_THROTTLED) {
		fputs("throttled", out);
	} else if (s->culprit || (s->kind == FXT_SEGMENT_WAIT && s->behind != FXT_CULPRIT_UNKNOWN)) {
		fputs("behind ", out);
		fxt_print_cell(out, behind_title(title, sizeof(title), s), 0);
	} else if (s->reason) {
		fxt_print_cell(out, s->reason, 0);
	}
	fputc('\n', out);
}

static int earlier(const void *a, const void *b)
{
	const struct fxt_path_window *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/*
 * Finds the longest window of all machines, the earliest of equal ones of a machine; returns its number in that
 * machine.
 */
static size_t longest_of(struct path_printer *p)
{
	const struct fxt_path_window *longest = NULL;
	size_t i, at = 0;
	__u64 most = 0;
	__u32 k;

	for (k = 0; k < p->v->origins->count; k++) {
		struct fxt_path *path = &p->v->paths[k];

		for (i = 0; i < path->windows.count; i++) {
			const struct fxt_path_window *window = &path->windows.window[i];
			__u64 ns = window->to - window->from;

			p->ns += ns;
			if (ns < most || (ns == most && (path != p->path || earlier(window, longest) >= 0)))
				continue;
			p->path = path;
			longest = window;
			most = ns;
			at = i;
		}
		p->windows += path->windows.count;
	}
	return at;
}

/* Adds all windows to the sums: the longest one separately, for its segments. */
static int text_walk(struct path_printer *p)
{
	size_t at = longest_of(p);
	__u32 k;
	int err;

	if (!p->windows)
		return 0;
	p->longest = p->path->windows.window[at];
	p->path->windows.window[at] = p->path->windows.window[--p->path->windows.count];
	err = window_walk(p, &p->longest);
	for (k = 0; k < p->v->origins->count && !err; k++) {
		p->path = &p->v->paths[k];
		err = fxt_path_walk_all(p->path, segment_fold, sum_fold, p);
	}
	return err;
}

static void longest_head(struct path_printer *p, const struct fxt_screen *screen)
{
	char title[FXT_TASK_NAME_BYTES + 32];

	fputs("\nthe longest window: ", p->out);
	fxt_print_cell(p->out, fxt_task_title(title, sizeof(title), p->longest.task), 0);
	fprintf(p->out, ", %.3f ms, %llu segments%s\n", (p->longest.to - p->longest.from) / 1e6, p->segment_count,
		p->greatest && p->segment_count > p->greatest_count ? ", the longest of them (all by time: --top=0)" :
		p->greatest ? ", the longest first" : "");
	fxt_screen_bold(screen, "           from s           ms  thread                       what");
}

static int print_text(struct path_printer *p, const struct fxt_screen *screen)
{
	size_t i;
	int err;

	fxt_origins_text(screen, p->v->origins);
	err = text_walk(p);
	if (err || !p->windows)
		return err;
	fprintf(p->out, "%zu window%s, %.3f ms", p->windows, p->windows == 1 ? "" : "s", p->ns / 1e6);
	if (p->v->open)
		fprintf(p->out, "; durations without an end: %llu", p->v->open);
	fputs("\n\n", p->out);
	fxt_path_folds_sort(&p->folds);
	fxt_path_folds_text(screen, &p->folds);
	longest_head(p, screen);
	for (i = 0; i < p->greatest_count; i++)
		segment_put_text(p, &p->greatest[i]);
	return segments_put(p, segment_put_text);
}

static void windows_sort(const struct fxt_path_view *v)
{
	__u32 k;

	for (k = 0; k < v->origins->count; k++) {
		struct fxt_path_windows *windows = &v->paths[k].windows;

		if (windows->count)
			qsort(windows->window, windows->count, sizeof(*windows->window), earlier);
	}
}

int fxt_path_print(const struct fxt_screen *screen, const struct fxt_path_view *v)
{
	struct path_printer p = { .v = v, .out = screen->out };
	struct fxt_spill *spill = v->origins->of[0]->m->spill;
	int err;

	p.keep = !v->format && v->segments ? greatest_keep : all_keep;
	p.greatest = p.keep == greatest_keep ? calloc(v->segments, sizeof(*p.greatest)) : NULL;
	if (p.keep == greatest_keep && !p.greatest)
		return -ENOMEM;
	fxt_tape_init(&p.segments, sizeof(struct fxt_segment), spill->spool);
	fxt_path_folds_init(&p.folds, v, spill);
	if (v->format)
		windows_sort(v);
	if (!v->format) {
		err = print_text(&p, screen);
	} else if (!strcmp(v->format, "csv")) {
		fputs("from_ns,to_ns,tid,comm,kind,culprit_tid,reason,key,machine\n", p.out);
		err = windows_put(&p, window_csv);
	} else {
		err = print_json(&p);
	}
	free(p.greatest);
	fxt_path_folds_uninit(&p.folds);
	fxt_tape_uninit(&p.segments);
	fxt_buffer_uninit(&p.json.text);
	return err;
}
