// SPDX-License-Identifier: GPL-2.0-only
/* What is shown of a lap on the screen of "fxtrec top". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/report.h"
#include "show/top.h"
#include "util/utf8.h"

static void name_set(char *title, size_t room, const char *name)
{
	size_t head;
	const char *tail = fxt_utf8_split(name, FXT_TOP_TITLE_COLUMNS, &head);

	if (tail)
		snprintf(title, room, "%.*s..%s", (int)head, name, tail);
	else
		snprintf(title, room, "%s", name);
}

static void title_set(char *title, size_t room, enum fxt_report_by by, const struct fxt_report_row *row)
{
	const struct fxt_task *task = row->account->task;

	if (by == FXT_BY_THREAD)
		fxt_task_title(title, room, task);
	else if (by == FXT_BY_PROCESS && task->process)
		snprintf(title, room, "%s:%llu", row->name ? row->name : "", task->process->pid);
	else if (!row->name || !*row->name)
		snprintf(title, room, "(unknown)");
	else
		name_set(title, room, row->name);
	/* Safe for a terminal whatever a name holds. */
	*fxt_utf8_show(title, title) = '\0';
}

static int rows_take(struct fxt_top *t, const struct fxt_report *report)
{
	struct fxt_top_row *rows = realloc(t->rows, (report->count + 1) * sizeof(*rows));
	size_t i;
	unsigned int c;

	if (!rows)
		return -ENOMEM;
	t->rows = rows;
	t->count = report->count;
	for (i = 0; i < report->count; i++) {
		fxt_report_touch(report, &report->rows[i]);
		title_set(rows[i].title, sizeof(rows[i].title), report->by, &report->rows[i]);
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
	if (laps->origin.host)
		snprintf(t->host, sizeof(t->host), "%s", laps->origin.host);
	*fxt_utf8_show(t->host, t->host) = '\0';
	return err;
}

void fxt_top_uninit(struct fxt_top *t)
{
	free(t->rows);
	free(t->cpus);
}
