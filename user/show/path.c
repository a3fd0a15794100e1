// SPDX-License-Identifier: GPL-2.0-only
/* Critical paths as text, as CSV and as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/path.h"
#include "show/print.h"
#include "show/report.h"
#include "util/time.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)
#define TITLE_WIDTH	28

/* Segments of the longest window in the text, unless the user says so. */
#define SEGMENTS_MAX	40u

/* What the windows' segments of a thread and a kind come to. */
struct sum {
	const struct fxt_task *task;
	enum fxt_segment_kind kind;
	__u64 ns;
	__u64 count;
};

struct path_printer {
	const struct fxt_path_view *v;
	FILE *out;
	struct fxt_json_writer json;
	struct fxt_map sums;
	struct sum **sorted;
	size_t sum_count;
	__u64 ns;		/* of all windows */
	size_t windows;
	struct fxt_path *path;		/* its windows are walked */
	const struct fxt_path_window *longest;
	struct fxt_path *longest_path;
	struct fxt_spill *spill;
};

static int sum_add(struct path_printer *p, const struct fxt_segment *s)
{
	__u64 key = s->task->key * FXT_SEGMENT_KINDS + s->kind;
	struct sum *sum = fxt_map_get(&p->sums, key);

	if (!sum)
		sum = fxt_map_new(&p->sums, key, sizeof(*sum));
	if (!sum)
		return -ENOMEM;
	fxt_spill_touch(p->spill, sum);
	sum->task = s->task;
	sum->kind = s->kind;
	sum->ns += s->to - s->from;
	sum->count++;
	return 0;
}

static int descending(const void *a, const void *b)
{
	const struct sum *x = *(struct sum *const *)a, *y = *(struct sum *const *)b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	return (x->task->key > y->task->key) - (x->task->key < y->task->key);
}

static int sums_sort(struct path_printer *p)
{
	size_t at = 0;
	struct sum *sum;

	p->sorted = calloc(p->sums.count + 1, sizeof(*p->sorted));
	if (!p->sorted)
		return -ENOMEM;
	while ((sum = fxt_map_next(&p->sums, &at)))
		p->sorted[p->sum_count++] = sum;
	qsort(p->sorted, p->sum_count, sizeof(*p->sorted), descending);
	return 0;
}

static void segment_json(struct fxt_json_writer *w, const struct fxt_segment *s)
{
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
	fxt_json_put_string(w, "reason", s->reason);
	fxt_json_close(w, '}');
}

/* The segments of the window that was walked last, the first one first. */
static int segments_put(struct path_printer *p, void (*put)(struct path_printer *p, const struct fxt_segment *s))
{
	struct fxt_tape *tape = &p->path->segments;
	struct fxt_segment s;
	__u64 i;
	int err = 0;

	for (i = tape->count; i && !err; i--) {
		err = fxt_tape_get(tape, i - 1, &s);
		if (!err && put)
			put(p, &s);
		if (!err)
			err = sum_add(p, &s);
		if (!err && p->json.text.length > FLUSH_BYTES)
			err = fxt_json_print(&p->json, p->out);
	}
	return err;
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
	fxt_json_put_number(w, "key", window->task->key);
	fxt_json_put_number(w, "machine", window->task->machine);
	fxt_json_put_number(w, "tid", window->task->tid);
	fxt_json_put_string(w, "comm", window->task->name);
	fxt_json_key(w, "segments");
	fxt_json_open(w, '[');
	err = fxt_path_walk(p->path, window);
	if (!err)
		err = segments_put(p, segment_put_json);
	fxt_json_close(w, ']');
	fxt_json_close(w, '}');
	return err;
}

static int windows_json(struct path_printer *p)
{
	size_t i;
	__u32 k;
	int err = 0;

	fxt_json_key(&p->json, "windows");
	fxt_json_open(&p->json, '[');
	for (k = 0; k < p->v->origins->count; k++) {
		p->path = &p->v->paths[k];
		for (i = 0; i < p->path->windows.count && !err; i++)
			err = window_json(p, &p->path->windows.window[i]);
	}
	fxt_json_close(&p->json, ']');
	return err;
}

static void sums_json(struct path_printer *p)
{
	struct fxt_json_writer *w = &p->json;
	size_t i;

	fxt_json_key(w, "sum");
	fxt_json_open(w, '[');
	for (i = 0; i < p->sum_count; i++) {
		const struct sum *sum = p->sorted[i];

		fxt_json_open(w, '{');
		fxt_json_put_number(w, "key", sum->task->key);
		fxt_json_put_number(w, "machine", sum->task->machine);
		fxt_json_put_number(w, "tid", sum->task->tid);
		fxt_json_put_string(w, "comm", sum->task->name);
		fxt_json_put_string(w, "kind", fxt_segment_names[sum->kind]);
		fxt_json_put_number(w, "ns", sum->ns);
		fxt_json_put_number(w, "count", sum->count);
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, ']');
}

static int print_json(struct path_printer *p)
{
	int err;

	fxt_json_open(&p->json, '{');
	fxt_json_put_number(&p->json, "version", VERSION);
	fxt_origins_json(&p->json, p->v->origins);
	err = windows_json(p);
	if (!err)
		err = sums_sort(p);
	if (!err)
		sums_json(p);
	fxt_json_close(&p->json, '}');
	if (!err)
		err = fxt_json_print(&p->json, p->out);
	fputc('\n', p->out);
	return err;
}

static void segment_put_csv(struct path_printer *p, const struct fxt_segment *s)
{
	fprintf(p->out, "%llu,%llu,%llu,", s->from, s->to, s->task->tid);
	fxt_print_csv(p->out, s->task->name);
	fprintf(p->out, ",%s,", fxt_segment_names[s->kind]);
	if (s->culprit)
		fprintf(p->out, "%llu", s->culprit->tid);
	fputc(',', p->out);
	fxt_print_csv(p->out, s->reason);
	fprintf(p->out, ",%llu,%u\n", s->task->key, s->task->machine);
}

static int walk_one(struct path_printer *p, const struct fxt_path_window *window,
		    void (*put)(struct path_printer *p, const struct fxt_segment *s))
{
	int err = fxt_path_walk(p->path, window);

	if (!err)
		err = segments_put(p, put);
	p->ns += window->to - window->from;
	p->windows++;
	if (!p->longest || window->to - window->from > p->longest->to - p->longest->from) {
		p->longest = window;
		p->longest_path = p->path;
	}
	return err;
}

static int walk_all(struct path_printer *p, void (*put)(struct path_printer *p, const struct fxt_segment *s))
{
	size_t i;
	__u32 k;
	int err = 0;

	for (k = 0; k < p->v->origins->count; k++) {
		p->path = &p->v->paths[k];
		for (i = 0; i < p->path->windows.count && !err; i++)
			err = walk_one(p, &p->path->windows.window[i], put);
	}
	return err;
}

/* A thread, behind its machine where there are several. */
static void title_put(struct path_printer *p, const struct fxt_task *task)
{
	char title[FXT_TASK_NAME_BYTES + 32];
	int before = p->v->origins->count > 1 ? fprintf(p->out, "%u/", task->machine) : 0;

	fxt_print_cell(p->out, fxt_task_title(title, sizeof(title), task), TITLE_WIDTH - before);
}

static void segment_put_text(FILE *out, const struct fxt_segment *s)
{
	char title[FXT_TASK_NAME_BYTES + 32];

	fprintf(out, "%6llu.%06llu %12.3f  ", s->from / SECOND_NS, s->from % SECOND_NS / 1000,
		(s->to - s->from) / 1e6);
	fxt_print_cell(out, fxt_task_title(title, sizeof(title), s->task), TITLE_WIDTH);
	fprintf(out, " %-9s ", fxt_segment_names[s->kind]);
	if (s->culprit) {
		fputs("behind ", out);
		fxt_print_cell(out, fxt_task_title(title, sizeof(title), s->culprit), 0);
	}
	if (s->reason)
		fxt_print_cell(out, s->reason, 0);
	fputc('\n', out);
}

static int longest_text(struct path_printer *p, const struct fxt_screen *screen)
{
	__u64 max = p->v->top ? p->v->top : SEGMENTS_MAX, i;
	struct fxt_tape *tape = &p->longest_path->segments;
	char title[FXT_TASK_NAME_BYTES + 32];
	struct fxt_segment s;
	int err = fxt_path_walk(p->longest_path, p->longest);

	if (err)
		return err;
	fputs("\nthe longest window: ", p->out);
	fxt_print_cell(p->out, fxt_task_title(title, sizeof(title), p->longest->task), 0);
	fprintf(p->out, ", %.3f ms, %llu segments%s\n", (p->longest->to - p->longest->from) / 1e6, tape->count,
		tape->count > max ? ", of which the last ones" : "");
	fxt_screen_bold(screen, "           from s           ms  thread                       what");
	for (i = tape->count > max ? max : tape->count; i && !err; i--) {
		err = fxt_tape_get(tape, i - 1, &s);
		if (!err)
			segment_put_text(p->out, &s);
	}
	return err;
}

static int print_text(struct path_printer *p, const struct fxt_screen *screen)
{
	size_t i;
	int err;

	fxt_origins_text(screen, p->v->origins);
	err = walk_all(p, NULL);
	if (!err)
		err = sums_sort(p);
	if (err || !p->longest)
		return err;
	fprintf(p->out, "%zu window%s, %.3f ms\n\n", p->windows, p->windows == 1 ? "" : "s", p->ns / 1e6);
	fxt_screen_bold(screen, "on the critical path         what                  ms       %      times");
	for (i = 0; i < p->sum_count && (!p->v->top || i < p->v->top); i++) {
		const struct sum *sum = p->sorted[i];

		title_put(p, sum->task);
		fprintf(p->out, " %-9s %14.3f %7.2f %10llu\n", fxt_segment_names[sum->kind], sum->ns / 1e6,
			100.0 * sum->ns / p->ns, sum->count);
	}
	if (i < p->sum_count)
		fprintf(p->out, "and %zu more\n", p->sum_count - i);
	return longest_text(p, screen);
}

static int earlier(const void *a, const void *b)
{
	const struct fxt_path_window *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->task->key > y->task->key) - (x->task->key < y->task->key);
}

int fxt_path_print(const struct fxt_screen *screen, const struct fxt_path_view *v)
{
	struct path_printer p = { .v = v, .out = screen->out, .spill = v->origins->of[0]->m->spill };
	__u32 k;
	int err;

	p.sums.memory.spill = p.spill;
	for (k = 0; k < v->origins->count; k++) {
		struct fxt_path_windows *windows = &v->paths[k].windows;

		if (windows->count)
			qsort(windows->window, windows->count, sizeof(*windows->window), earlier);
	}
	if (!v->format) {
		err = print_text(&p, screen);
	} else if (!strcmp(v->format, "csv")) {
		fputs("from_ns,to_ns,tid,comm,kind,culprit_tid,reason,key,machine\n", p.out);
		err = walk_all(&p, segment_put_csv);
	} else {
		err = print_json(&p);
	}
	fxt_map_uninit(&p.sums, NULL);
	fxt_buffer_uninit(&p.json.text);
	free(p.sorted);
	return err;
}
