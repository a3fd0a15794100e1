// SPDX-License-Identifier: GPL-2.0-only
/* Sums over all laps so far, as metrics. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/metrics.h"
#include "store/keyed.h"
#include "util/array.h"
#include "util/utf8.h"

/* Limit of rows, as names come and go: further names share one row. */
#define ROWS_MAX	4096u
#define LABELS_BYTES	512u

/* Upper bounds of the histogram's buckets, in ns. */
static const __u64 edges[FXT_METRICS_EDGES] = {
	1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, 2000000, 5000000, 10000000,
	20000000, 50000000, 100000000, 200000000, 500000000, 1000000000, 10000000000ULL,
};

/* Adds name="value", escaped; cut where there is no space. */
static void label_put(char *to, const char *name, const char *value)
{
	size_t at = strlen(to);

	at += snprintf(to + at, LABELS_BYTES - at, "%s%s=\"", at ? "," : "", name);
	for (; *value && at < LABELS_BYTES - 64; value++) {
		if (*value == '"' || *value == '\\')
			to[at++] = '\\';
		to[at++] = (unsigned char)*value < 0x20 ? '?' : *value;
	}
	strcpy(to + at, "\"");
}

/* Returns the label's name for the rows' grouping. */
static const char *label_name(enum fxt_report_by by)
{
	return by == FXT_BY_THREAD ? "comm" : fxt_report_by_names[by];
}

static void labels_set(char *to, enum fxt_report_by by, const struct fxt_report_row *row)
{
	const struct fxt_task *task = row->account->task;
	const char *name = row->name ? row->name : "";
	char number[24];

	*to = '\0';
	label_put(to, label_name(by), name);
	if (by == FXT_BY_THREAD || (by == FXT_BY_PROCESS && task->process)) {
		snprintf(number, sizeof(number), "%llu", by == FXT_BY_THREAD ? task->tid : task->process->pid);
		label_put(to, by == FXT_BY_THREAD ? "tid" : "pid", number);
	}
	fxt_utf8_mend(to, strlen(to));
}

/* Finds a row; NULL: no such row, and key is free.  Labels of the same hash have the following numbers. */
static struct fxt_metric *row_find(const struct fxt_metrics *m, const char *labels, __u64 *key)
{
	struct fxt_metric *row;

	for (*key = fxt_keyed_bytes(labels, strlen(labels)); (row = fxt_map_get(&m->rows, *key)); ++*key)
		if (!strcmp(row->labels, labels))
			break;
	return row;
}

/* Returns the row of labels, or the row of all others where there are too many; NULL: -ENOMEM. */
static struct fxt_metric *row_of(struct fxt_metrics *m, char *labels)
{
	__u64 key;
	struct fxt_metric *row = row_find(m, labels, &key);

	if (!row && m->count >= ROWS_MAX) {
		*labels = '\0';
		label_put(labels, label_name(m->by), "(others)");
		row = row_find(m, labels, &key);
	}
	if (row)
		return row;
	if (fxt_array_more(m->order, m->count))
		return NULL;
	row = fxt_map_new(&m->rows, key, sizeof(*row));
	if (!row)
		return NULL;
	m->order[m->count++] = row;
	row->labels = strdup(labels);
	return row->labels ? row : NULL;
}

static int row_add(struct fxt_metrics *m, const struct fxt_report_row *row)
{
	const struct fxt_histogram *h = &row->account->latency;
	struct fxt_histogram_bucket *buckets;
	char labels[LABELS_BYTES];
	struct fxt_metric *to;
	unsigned int i, edge = 0;

	labels_set(labels, m->by, row);
	to = row_of(m, labels);
	if (!to)
		return -ENOMEM;
	for (i = 0; i < FXT_COLUMNS; i++)
		to->value[i] += fxt_report_value(row, i);
	to->latencies += h->count;
	to->latency_ns += h->sum;
	buckets = fxt_histogram_buckets(h);
	for (i = 0; buckets && i < h->used; i++) {
		while (edge < FXT_METRICS_EDGES && buckets[i].upper > edges[edge])
			edge++;
		if (edge < FXT_METRICS_EDGES)
			to->below[edge] += buckets[i].count;
	}
	free(buckets);
	return 0;
}

static int cpus_add(struct fxt_metrics *m, const struct fxt_laps *laps, const struct fxt_selection *selection)
{
	const struct fxt_machine *machine = laps->m;
	__u32 i;

	/* The CPUs' ids are ascending. */
	if (machine->seen_count && fxt_array_reach(m->cpus, m->cpu_room, machine->seen[machine->seen_count - 1]->id))
		return -ENOMEM;
	for (i = 0; i < machine->seen_count; i++) {
		const struct fxt_load *load = fxt_loads_get(&laps->loads, machine->seen[i]);
		struct fxt_metric_cpu *cpu = &m->cpus[machine->seen[i]->id];

		if (!load || !fxt_selection_cpu(selection, machine->seen[i]->id))
			continue;
		cpu->known = true;
		cpu->busy += load->busy;
		cpu->idle += load->idle;
		cpu->unknown += load->unknown;
		cpu->switches += load->switches;
	}
	return 0;
}

int fxt_metrics_add(struct fxt_metrics *m, const struct fxt_report *report, const struct fxt_laps *laps,
		    const struct fxt_selection *selection)
{
	const struct fxt_origin_loss *lost;
	size_t i;
	int err = 0;

	m->by = report->by;
	m->reasons = laps->m->reasons;
	for (i = 0; i < report->count && !err && m->by != FXT_BY_CPU; i++)
		err = row_add(m, &report->rows[i]);
	/* A loss may be in several laps: it counts where it starts. */
	for (lost = laps->origin.first; lost; lost = lost->next)
		if (lost->span.from >= laps->m->from || !m->laps)
			m->lost += lost->span.events;
	m->laps++;
	return err ? err : cpus_add(m, laps, selection);
}

static void __attribute__((format(printf, 2, 3))) put(struct fxt_buffer *to, const char *format, ...)
{
	char text[2 * LABELS_BYTES];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fxt_buffer_put(to, text, length < (int)sizeof(text) ? (size_t)length : sizeof(text) - 1);
}

static void head_put(struct fxt_buffer *to, const char *name, const char *type, const char *help)
{
	put(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Writes nanoseconds as seconds. */
static void value_put(struct fxt_buffer *to, bool is_time, __u64 value)
{
	if (is_time)
		put(to, "%llu.%09llu\n", value / 1000000000, value % 1000000000);
	else
		put(to, "%llu\n", value);
}

static void sum_write(const struct fxt_metrics *m, enum fxt_report_column column, struct fxt_buffer *to)
{
	const struct fxt_column *c = &fxt_columns[column];
	size_t i;

	if (!c->metric || (c->needs_reasons && !m->reasons))
		return;
	if (c->help)
		head_put(to, c->metric, "counter", c->help);
	for (i = 0; i < m->count; i++) {
		put(to, "%s{%s%s%s} ", c->metric, m->order[i]->labels, c->label ? "," : "", c->label ? c->label : "");
		value_put(to, c->kind != FXT_KIND_COUNT, m->order[i]->value[column]);
	}
}

static void latencies_write(const struct fxt_metrics *m, struct fxt_buffer *to)
{
	const char *name = "fxtrec_wakeup_latency_seconds";
	unsigned int e;
	size_t i;

	head_put(to, name, "histogram", "Time from a wakeup to running; edges are within 1 %.");
	for (i = 0; i < m->count; i++) {
		const struct fxt_metric *row = m->order[i];
		__u64 below = 0;

		if (!row->latencies)
			continue;
		for (e = 0; e < FXT_METRICS_EDGES; e++) {
			below += row->below[e];
			put(to, "%s_bucket{%s,le=\"%g\"} %llu\n", name, row->labels, edges[e] / 1e9, below);
		}
		put(to, "%s_bucket{%s,le=\"+Inf\"} %llu\n%s_sum{%s} ", name, row->labels, row->latencies, name,
		    row->labels);
		value_put(to, true, row->latency_ns);
		put(to, "%s_count{%s} %llu\n", name, row->labels, row->latencies);
	}
}

static void cpus_write(const struct fxt_metrics *m, struct fxt_buffer *to)
{
	static const char *const states[] = { "busy", "idle", "unknown" };
	const char *name = "fxtrec_cpu_seconds_total";
	unsigned int s;
	__u32 i;

	head_put(to, name, "counter", "What CPUs did.");
	for (i = 0; i < m->cpu_room; i++) {
		const __u64 ns[] = { m->cpus[i].busy, m->cpus[i].idle, m->cpus[i].unknown };

		for (s = 0; s < 3 && m->cpus[i].known; s++) {
			put(to, "%s{cpu=\"%u\",state=\"%s\"} ", name, i, states[s]);
			value_put(to, true, ns[s]);
		}
	}
	head_put(to, "fxtrec_cpu_switches_total", "counter", "Context switches of CPUs.");
	for (i = 0; i < m->cpu_room; i++)
		if (m->cpus[i].known)
			put(to, "fxtrec_cpu_switches_total{cpu=\"%u\"} %llu\n", i, m->cpus[i].switches);
}

void fxt_metrics_write(const struct fxt_metrics *m, __u64 late, struct fxt_buffer *to)
{
	enum fxt_report_column columns[FXT_COLUMNS];
	unsigned int i;

	fxt_columns_by_group(columns);
	for (i = 0; i < FXT_COLUMNS; i++)
		sum_write(m, columns[i], to);
	latencies_write(m, to);
	cpus_write(m, to);
	head_put(to, "fxtrec_lost_events_total", "counter", "Events that the recorder lost.");
	put(to, "fxtrec_lost_events_total %llu\n", m->lost);
	head_put(to, "fxtrec_late_events_total", "counter", "Events that came too late to be counted.");
	put(to, "fxtrec_late_events_total %llu\n", late);
}

void fxt_metrics_uninit(struct fxt_metrics *m)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		free(m->order[i]->labels);
	fxt_map_uninit(&m->rows, free);
	free(m->order);
	free(m->cpus);
}
