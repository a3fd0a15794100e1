// SPDX-License-Identifier: GPL-2.0-only
/* The part of a lap that "fxtrec top" shows on its screen. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/reasons.h"
#include "show/report.h"
#include "show/top.h"
#include "util/utf8.h"

/* Returns a copy of a text that is safe for a terminal, whatever the text contains; NULL without memory. */
static char *shown(const char *text)
{
	char *copy = strdup(text);

	if (copy)
		*fxt_utf8_show(copy, copy) = '\0';
	return copy;
}

/* Returns a row's title; NULL without memory. */
static char *title_make(enum fxt_report_by by, const struct fxt_report_row *row)
{
	char text[FXT_TASK_NAME_BYTES + 64];

	return shown(fxt_group_title(text, sizeof(text), by, row->account->task, row->name));
}

static void rows_free(struct fxt_top_rows *rows)
{
	while (rows->count) {
		free(rows->of[--rows->count].title);
		free(rows->of[rows->count].holders);
	}
}

/* Frees the rows, and makes space for a number of new ones.  0 or -ENOMEM. */
static int rows_renew(struct fxt_top_rows *rows, size_t count)
{
	struct fxt_top_row *of;

	rows_free(rows);
	of = realloc(rows->of, (count + 1) * sizeof(*of));
	if (!of)
		return -ENOMEM;
	rows->of = of;
	return 0;
}

static int groups_take(struct fxt_top_rows *rows, const struct fxt_report *report)
{
	int err = rows_renew(rows, report->count);
	struct fxt_top_row *row;
	size_t i;
	unsigned int c;

	for (i = 0; i < report->count && !err; i++) {
		row = &rows->of[i];
		*row = (struct fxt_top_row){ .title = title_make(report->by, &report->rows[i]) };
		if (!row->title)
			return -ENOMEM;
		rows->count++;
		row->latencies = report->rows[i].account->latency.count;
		for (c = 0; c < FXT_COLUMNS; c++)
			row->value[c] = fxt_report_value(&report->rows[i], c);
	}
	return err;
}

static int lock_take(void *arg, const struct fxt_reason_text *text)
{
	char title[FXT_REASON_TITLE_BYTES], holders[FXT_REASON_HOLDERS_BYTES];
	const struct fxt_reason_sum *sum = text->sum;
	struct fxt_top_rows *rows = arg;
	struct fxt_top_row *row = &rows->of[rows->count++];

	*row = (struct fxt_top_row){
		.title = shown(fxt_reason_title(title, text)),
		.holders = shown(fxt_reason_holders(holders, text)),
		.value = {
			[FXT_TOP_LOCK_WAITS] = sum->count,
			[FXT_TOP_LOCK_TOTAL] = sum->ns,
			[FXT_TOP_LOCK_LONGEST] = sum->longest,
			[FXT_TOP_LOCK_MOST] = sum->waiters_max,
			[FXT_TOP_LOCK_HANDOFFS] = sum->handoffs,
		},
	};
	return row->title && row->holders ? 0 : -ENOMEM;
}

static int locks_take(struct fxt_top_rows *rows, struct fxt_reasons *reasons)
{
	struct fxt_reason_rows of;
	const struct fxt_reasons_view view = { .rows = &of, .by = FXT_BY_LOCK };
	int err = fxt_reason_rows_init(&of, reasons, 1);

	if (!err)
		err = rows_renew(rows, of.count);
	if (!err)
		err = fxt_reason_texts(&view, lock_take, rows);
	fxt_reason_rows_uninit(&of);
	return err;
}

static int cpus_take(struct fxt_top *t, const struct fxt_laps *laps, const struct fxt_selection *selection)
{
	struct fxt_top_cpu *cpus = realloc(t->cpus, (laps->m->seen_count + 1) * sizeof(*cpus));
	const struct fxt_load *load;
	__u32 i;

	if (!cpus)
		return -ENOMEM;
	t->cpus = cpus;
	t->cpu_count = 0;
	t->switches = 0;
	for (i = 0; i < laps->m->seen_count; i++) {
		load = fxt_loads_get(&laps->loads, laps->m->seen[i]);
		if (!load || !fxt_selection_cpu(selection, laps->m->seen[i]->id))
			continue;
		t->switches += load->switches;
		cpus[t->cpu_count++] = (struct fxt_top_cpu){
			.id = laps->m->seen[i]->id,
			.busy = load->busy,
			.idle = load->idle,
			.unknown = load->unknown,
			.waited = load->idle_while_waiting,
			.runnable_max = load->runnable_max,
		};
	}
	return 0;
}

int fxt_top_take(struct fxt_top *t, const struct fxt_report *report, const struct fxt_laps *laps,
		 const struct fxt_selection *selection)
{
	int err;

	if (t->paused)
		return 0;
	err = groups_take(&t->groups, report);
	if (!err)
		err = locks_take(&t->locks, laps->reasons);
	if (!err)
		err = cpus_take(t, laps, selection);
	t->by_shown = report->by;
	t->from = laps->m->from;
	t->to = laps->m->to;
	t->lost = laps->origin.lost_events;
	t->reasons = laps->m->reasons;
	if (laps->origin.host)
		snprintf(t->host, sizeof(t->host), "%s", laps->origin.host);
	*fxt_utf8_show(t->host, t->host) = '\0';
	return err;
}

void fxt_top_uninit(struct fxt_top *t)
{
	rows_free(&t->groups);
	free(t->groups.of);
	rows_free(&t->locks);
	free(t->locks.of);
	free(t->cpus);
}
