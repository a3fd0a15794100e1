// SPDX-License-Identifier: GPL-2.0-only
/* A report as JSON: Documentation/analysis.rst describes the members. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/report.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)

void fxt_json_put_string(struct fxt_json_writer *w, const char *key, const char *text)
{
	fxt_json_key(w, key);
	if (text)
		fxt_json_string(w, text, strlen(text));
	else
		fxt_json_null(w);
}

int fxt_json_print(struct fxt_json_writer *w, FILE *out)
{
	if (w->text.failed)
		return -ENOMEM;
	fwrite(w->text.bytes, 1, w->text.length, out);
	w->text.length = 0;
	return 0;
}

int fxt_json_finish(struct fxt_json_writer *w, FILE *out, int err)
{
	fxt_json_close(w, '}');
	if (!err)
		err = fxt_json_print(w, out);
	fputc('\n', out);
	fxt_buffer_uninit(&w->text);
	return err;
}

void fxt_task_json(struct fxt_json_writer *w, const struct fxt_task *task)
{
	const struct fxt_process *process = task->process;
	const struct fxt_group *group = process ? process->group : NULL;

	fxt_json_put_number(w, "key", task->key);
	fxt_json_put_number(w, "machine", task->machine);
	fxt_json_put_number(w, "tid", task->tid);
	if (process)
		fxt_json_put_number(w, "pid", process->pid);
	else
		fxt_json_put_string(w, "pid", NULL);
	fxt_json_put_string(w, "comm", task->name);
	fxt_json_put_string(w, "process", process && process->name[0] ? process->name : NULL);
	fxt_json_put_string(w, "cgroup", group ? group->path : NULL);
	fxt_json_put_string(w, "container", group ? group->container : NULL);
}

void fxt_waker_json(struct fxt_json_writer *w, const struct fxt_task *waker, enum fxt_waker_context context)
{
	const char *thread = waker->key ? waker->name : "swapper";

	if (fxt_context_is_timer(context)) {
		fxt_json_put_string(w, "key", NULL);
		fxt_json_put_string(w, "tid", NULL);
	} else {
		fxt_json_put_number(w, "key", waker->key);
		fxt_json_put_number(w, "tid", waker->tid);
	}
	fxt_json_put_string(w, "comm", fxt_context_is_timer(context) ? "timer" : thread);
	fxt_json_put_string(w, "context", fxt_context_name(context));
}

static void lost_put(struct fxt_json_writer *w, const struct fxt_origin *o)
{
	const struct fxt_origin_loss *lost;

	for (lost = o->first; lost; lost = lost->next) {
		fxt_json_open(w, '{');
		fxt_json_put_number(w, "machine", o->m->tasks.machine);
		if (lost->span.cpu)
			fxt_json_put_number(w, "cpu", lost->span.cpu->id);
		else
			fxt_json_put_string(w, "cpu", NULL);
		fxt_json_put_number(w, "from_ns", lost->span.from);
		fxt_json_put_number(w, "to_ns", lost->span.to < o->m->end ? lost->span.to : o->m->end);
		if (lost->span.events)
			fxt_json_put_number(w, "events", lost->span.events);
		else
			fxt_json_put_string(w, "events", NULL);
		fxt_json_close(w, '}');
	}
}

static void machine_put(struct fxt_json_writer *w, const struct fxt_origin *o)
{
	fxt_json_open(w, '{');
	fxt_json_put_number(w, "machine", o->m->tasks.machine);
	fxt_json_put_string(w, "host", o->host);
	fxt_json_put_string(w, "release", o->release);
	fxt_json_put_string(w, "clock", o->clock);
	fxt_json_put_number(w, "from_ns", o->m->from);
	fxt_json_put_number(w, "to_ns", o->m->to);
	fxt_json_key(w, "chosen_threads");
	fxt_json_bool(w, o->m->chosen_threads);
	fxt_json_put_number(w, "cpus_left_out", o->m->left_out ? fxt_cpus_count(o->m->left_out) : 0);
	fxt_json_close(w, '}');
}

void fxt_origins_json(struct fxt_json_writer *w, const struct fxt_origins *os)
{
	const struct fxt_origin *first = os->of[0];
	__u64 from = first->m->from, to = first->m->to;
	bool same = true;
	__u32 i;

	for (i = 1; i < os->count; i++) {
		const struct fxt_origin *o = os->of[i];

		from = o->m->from < from ? o->m->from : from;
		to = o->m->to > to ? o->m->to : to;
		same = same && o->clock && first->clock && !strcmp(o->clock, first->clock);
	}
	fxt_json_put_string(w, "file", os->file);
	fxt_json_put_string(w, "clock", same ? first->clock : NULL);
	fxt_json_put_number(w, "from_ns", from);
	fxt_json_put_number(w, "to_ns", to);
	fxt_json_key(w, "lost");
	fxt_json_open(w, '[');
	for (i = 0; i < os->count; i++)
		lost_put(w, os->of[i]);
	fxt_json_close(w, ']');
	fxt_json_key(w, "machines");
	fxt_json_open(w, '[');
	for (i = 0; i < os->count; i++)
		machine_put(w, os->of[i]);
	fxt_json_close(w, ']');
}

void fxt_histogram_json(struct fxt_json_writer *w, const struct fxt_histogram *h)
{
	struct fxt_histogram_bucket *buckets = fxt_histogram_buckets(h);
	unsigned int i;

	fxt_json_key(w, "histogram");
	fxt_json_open(w, '[');
	for (i = 0; buckets && i < h->used; i++) {
		fxt_json_open(w, '[');
		fxt_json_number(w, buckets[i].upper);
		fxt_json_number(w, buckets[i].count);
		fxt_json_close(w, ']');
	}
	fxt_json_close(w, ']');
	free(buckets);
}

void fxt_column_json(struct fxt_json_writer *w, const struct fxt_report_row *row, enum fxt_report_column column)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%s", fxt_columns[column].name, fxt_column_suffix(column));
	if (row)
		fxt_json_put_number(w, name, fxt_report_value(row, column));
	else
		fxt_json_put_string(w, name, NULL);
}

/* Writes the times and the counts of a row; null: the machine's recording doesn't have them. */
static void sums_put(struct fxt_json_writer *w, const struct fxt_report_view *v, const struct fxt_report_row *row)
{
	const struct fxt_machine *m = v->origins->of[row->account->task->machine]->m;
	bool reasons = fxt_origins_reasons(v->origins);
	unsigned int c;

	for (c = 0; c < FXT_COLUMNS; c++) {
		if (fxt_columns[c].kind != FXT_KIND_TIME || (fxt_columns[c].needs_reasons && !reasons))
			continue;
		if ((c == FXT_COLUMN_THROTTLED && !m->throttling) || (fxt_columns[c].needs_reasons && !m->reasons))
			fxt_column_json(w, NULL, c);
		else
			fxt_column_json(w, row, c);
		if (c == FXT_COLUMN_BLOCKED && m->stacks)
			fxt_json_put_number(w, "iowait_ns", row->account->iowait);
		else if (c == FXT_COLUMN_BLOCKED)
			fxt_json_put_string(w, "iowait_ns", NULL);
	}
	for (c = 0; c < FXT_COLUMNS; c++)
		if (fxt_columns[c].kind == FXT_KIND_COUNT)
			fxt_column_json(w, row, c);
}

static void latency_put(struct fxt_json_writer *w, const struct fxt_report_view *v,
			const struct fxt_report_row *row)
{
	const struct fxt_histogram *h = &row->account->latency;
	unsigned int c;

	fxt_json_key(w, "latency");
	fxt_json_open(w, '{');
	fxt_json_put_number(w, "count", h->count);
	for (c = 0; c < FXT_COLUMNS; c++)
		if (fxt_columns[c].kind == FXT_KIND_LATENCY)
			fxt_column_json(w, row, c);
	if (h->count)
		fxt_json_put_number(w, "max_at_ns", row->account->max_at);
	else
		fxt_json_put_string(w, "max_at_ns", NULL);
	if (!v->brief)
		fxt_histogram_json(w, h);
	fxt_json_close(w, '}');
}

static void wakers_put(struct fxt_json_writer *w, const struct fxt_account *account)
{
	struct fxt_waker_count *sorted = fxt_wakers_sorted(&account->wakers);
	unsigned int used = account->wakers.used;
	unsigned int i;

	fxt_json_key(w, "wakers");
	fxt_json_open(w, '[');
	for (i = 0; sorted && i < used; i++) {
		fxt_json_open(w, '{');
		fxt_waker_json(w, sorted[i].task, sorted[i].context);
		fxt_json_put_number(w, "count", sorted[i].count);
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, ']');
	free(sorted);
}

/* Writes the members of a row's group. */
static void common_put(struct fxt_json_writer *w, const struct fxt_report_view *v,
		       const struct fxt_report_row *row)
{
	const struct fxt_task *task = row->account->task;

	switch (v->report->by) {
	case FXT_BY_THREAD:
		fxt_task_json(w, task);
		return;
	case FXT_BY_PROCESS:
		if (task->process) {
			fxt_json_put_number(w, "key", task->process->key);
			fxt_json_put_number(w, "pid", task->process->pid);
		}
		fxt_json_put_string(w, "process", row->name);
		fxt_json_put_string(w, "cgroup", task->process && task->process->group ?
				  task->process->group->path : NULL);
		fxt_json_put_string(w, "container", task->process && task->process->group ?
				  task->process->group->container : NULL);
		break;
	default:
		fxt_json_put_string(w, fxt_report_by_names[v->report->by], row->name);
	}
	fxt_json_put_number(w, "machine", task->machine);
	fxt_json_put_number(w, "thread_count", row->account->threads);
}

static void row_put(struct fxt_json_writer *w, const struct fxt_report_view *v,
		    const struct fxt_report_row *row)
{
	const struct fxt_account *a = row->account;

	fxt_json_open(w, '{');
	common_put(w, v, row);
	fxt_json_put_number(w, "begin_ns", a->begin);
	fxt_json_put_number(w, "end_ns", a->end);
	sums_put(w, v, row);
	latency_put(w, v, row);
	if (!v->brief)
		wakers_put(w, a);
	fxt_json_close(w, '}');
}

static int rows_put(struct fxt_json_writer *w, FILE *out, const struct fxt_report_view *v)
{
	const struct fxt_report *r = v->report;
	size_t i;
	int err = 0;

	fxt_json_key(w, fxt_report_by_arrays[r->by]);
	fxt_json_open(w, '[');
	for (i = 0; i < r->count && (!v->top || i < v->top) && !err; i++) {
		row_put(w, v, &r->rows[i]);
		if (w->text.length > FLUSH_BYTES)
			err = fxt_json_print(w, out);
	}
	fxt_json_close(w, ']');
	return err;
}

void fxt_wait_json(struct fxt_json_writer *w, const struct fxt_wait *wait)
{
	fxt_json_open(w, '{');
	fxt_json_put_number(w, "key", wait->task->key);
	fxt_json_put_number(w, "tid", wait->task->tid);
	fxt_json_put_string(w, "comm", wait->task->name);
	fxt_json_put_number(w, "machine", wait->task->machine);
	fxt_json_put_number(w, "cpu", wait->cpu);
	fxt_json_put_number(w, "from_ns", wait->from);
	fxt_json_put_number(w, "to_ns", wait->to);
	fxt_json_put_string(w, "after", fxt_wait_after(wait));
	fxt_json_put_string(w, "story", wait->story);
	fxt_json_close(w, '}');
}

static int waits_put(struct fxt_json_writer *w, FILE *out, const struct fxt_waits *waits)
{
	const struct fxt_wait *wait;
	int err = 0;

	for (wait = waits->first; wait && !err; wait = wait->next) {
		fxt_wait_json(w, wait);
		if (w->text.length > FLUSH_BYTES)
			err = fxt_json_print(w, out);
	}
	return err;
}

static int waits_all_put(struct fxt_json_writer *w, FILE *out, const struct fxt_report_view *v)
{
	int err = 0;
	__u32 i;

	fxt_json_key(w, "waits");
	fxt_json_open(w, '[');
	for (i = 0; i < v->origins->count && !err; i++)
		err = waits_put(w, out, &v->waits[i]);
	fxt_json_close(w, ']');
	return err;
}

static void load_put(struct fxt_json_writer *w, const struct fxt_load *load)
{
	char text[40];
	double mean;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "machine", load->cpu->idle.machine);
	fxt_json_put_number(w, "cpu", load->cpu->id);
	fxt_json_put_number(w, "busy_ns", load->busy);
	fxt_json_put_number(w, "idle_ns", load->idle);
	fxt_json_put_number(w, "unknown_ns", load->unknown);
	fxt_json_put_number(w, "interrupt_ns", load->interrupts);
	fxt_json_put_number(w, "switches", load->switches);
	fxt_json_key(w, "runnable_mean");
	if (fxt_load_mean(load, &mean))
		fxt_json_raw(w, text, snprintf(text, sizeof(text), "%.4f", mean));
	else
		fxt_json_null(w);
	fxt_json_put_number(w, "runnable_max", load->runnable_max);
	fxt_json_put_number(w, "idle_while_waiting_ns", load->idle_while_waiting);
	fxt_json_close(w, '}');
}

static void loads_put(struct fxt_json_writer *w, const struct fxt_report_view *v)
{
	__u32 i, k;

	fxt_json_key(w, "cpus");
	fxt_json_open(w, '[');
	for (k = 0; k < v->origins->count; k++)
		for (i = 0; i < v->loads[k].m->seen_count; i++) {
			const struct fxt_cpu *cpu = v->loads[k].m->seen[i];

			if (fxt_loads_get(&v->loads[k], cpu) && fxt_selection_cpu(v->selection, cpu->id))
				load_put(w, fxt_loads_get(&v->loads[k], cpu));
		}
	fxt_json_close(w, ']');
}

int fxt_report_json(FILE *out, const struct fxt_report_view *v)
{
	struct fxt_json_writer w = { 0 };
	int err = 0;

	fxt_json_open(&w, '{');
	fxt_json_put_number(&w, "version", VERSION);
	if (!v->rows_only)
		fxt_origins_json(&w, v->origins);
	if (v->report->by != FXT_BY_CPU)
		err = rows_put(&w, out, v);
	if (!err && v->waits)
		err = waits_all_put(&w, out, v);
	if (!v->rows_only)
		loads_put(&w, v);
	return fxt_json_finish(&w, out, err);
}
