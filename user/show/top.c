// SPDX-License-Identifier: GPL-2.0-only
/* The part of a lap that "fxtrec top" shows on its screen. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/report.h"
#include "show/top.h"
#include "util/utf8.h"

/* Returns a row's title; NULL without memory. */
static char *title_make(enum fxt_report_by by, const struct fxt_report_row *row)
{
	char text[FXT_TASK_NAME_BYTES + 64];
	char *title = strdup(fxt_group_title(text, sizeof(text), by, row->account->task, row->name));

	/* Makes the title safe for a terminal, whatever the name contains. */
	if (title)
		*fxt_utf8_show(title, title) = '\0';
	return title;
}

static void rows_free(struct fxt_top *t)
{
	while (t->count)
		free(t->rows[--t->count].title);
}

static int rows_take(struct fxt_top *t, const struct fxt_report *report)
{
	struct fxt_top_row *rows;
	size_t i;
	unsigned int c;

	rows_free(t);
	rows = realloc(t->rows, (report->count + 1) * sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	t->rows = rows;
	for (i = 0; i < report->count; i++) {
		rows[i].title = title_make(report->by, &report->rows[i]);
		if (!rows[i].title)
			return -ENOMEM;
		t->count++;
		rows[i].latencies = report->rows[i].account->latency.count;
		for (c = 0; c < FXT_COLUMNS; c++)
			rows[i].value[c] = fxt_report_value(&report->rows[i], c);
	}
	return 0;
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
	err = rows_take(t, report);
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
	rows_free(t);
	free(t->rows);
	free(t->cpus);
}
