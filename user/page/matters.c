// SPDX-License-Identifier: GPL-2.0-only
/* The page's first part: the JSON of report and blame, and further JSON of the page. */
#include <errno.h>
#include <stdlib.h>

#include "page/matters.h"
#include "page/stacks.h"
#include "show/blame.h"
#include "show/reasons.h"
#include "show/report.h"

int fxt_page_matters_init(struct fxt_page_matters *p, struct fxt_machine *m, const struct fxt_selection *selection)
{
	int err;

	*p = (struct fxt_page_matters){ .m = m, .selection = selection };
	fxt_accounts_init(&p->accounts, m);
	fxt_loads_init(&p->loads, m);
	err = fxt_suspects_init(&p->suspects, m->spill);
	fxt_blame_init(&p->blame, m, &p->suspects, fxt_selection_tids(selection));
	fxt_waits_worst(&p->waits, &p->blame, selection, p->worst, FXT_WAITS_WORST);
	fxt_flame_init(&p->flame, m, selection);
	fxt_reasons_init(&p->locks, m, selection, FXT_BY_LOCK);
	fxt_page_heat_init(&p->heat, m, selection);
	return err;
}

void fxt_page_matters_uninit(struct fxt_page_matters *p)
{
	fxt_page_heat_uninit(&p->heat);
	fxt_reasons_uninit(&p->locks);
	fxt_flame_uninit(&p->flame);
	fxt_blame_uninit(&p->blame);
	fxt_suspects_uninit(&p->suspects, p->m->spill);
	fxt_accounts_uninit(&p->accounts);
}

/* Writes facts about the recording, and about all threads together. */
static void facts_put(struct fxt_json_writer *w, const struct fxt_page_matters *p)
{
	const struct fxt_origin *o = p->origins->of[0];

	fxt_json_open(w, '{');
	fxt_json_put_string(w, "fxtrec", FXT_VERSION);
	fxt_origins_json(w, p->origins);
	fxt_json_put_number(w, "begin_ns", p->m->begin);
	fxt_json_put_number(w, "end_ns", p->m->end);
	fxt_json_put_string(w, "host", o->host);
	fxt_json_put_string(w, "release", o->release);
	fxt_json_put_string(w, "arch", o->arch);
	fxt_json_put_string(w, "model", o->model);
	fxt_json_put_string(w, "backend", o->backend);
	fxt_json_put_number(w, "processors", o->processors);
	fxt_json_put_number(w, "lost_events", o->lost_events);
	fxt_json_put_number(w, "lost_count", o->lost_count);
	fxt_json_put_number(w, "lost_others", o->lost_others);
	fxt_json_key(w, "wakes");
	fxt_json_bool(w, p->m->wakes);
	fxt_json_key(w, "events");
	fxt_json_bool(w, p->events);
	fxt_json_key(w, "stacks");
	fxt_json_bool(w, p->m->stacks);
	fxt_json_close(w, '}');
}

static int facts_write(struct fxt_page *page, const struct fxt_page_matters *p)
{
	struct fxt_json_writer w = { 0 };

	facts_put(&w, p);
	return fxt_page_json(page, "facts", &w);
}

static int waits_put(struct fxt_json_writer *w, const char *key, const struct fxt_histogram *h)
{
	struct fxt_histogram_bucket *buckets = fxt_histogram_buckets(h);

	if (h->used && !buckets)
		return -ENOMEM;
	fxt_json_key(w, key);
	fxt_json_open(w, '{');
	fxt_json_put_number(w, "count", h->count);
	fxt_json_put_number(w, "p50_ns", fxt_histogram_quantile(h, buckets, 500));
	fxt_json_put_number(w, "p90_ns", fxt_histogram_quantile(h, buckets, 900));
	fxt_json_put_number(w, "p99_ns", fxt_histogram_quantile(h, buckets, 990));
	fxt_json_put_number(w, "p999_ns", fxt_histogram_quantile(h, buckets, 999));
	fxt_json_put_number(w, "max_ns", h->max);
	fxt_histogram_json(w, h);
	fxt_json_close(w, '}');
	free(buckets);
	return 0;
}

/* Writes the sums of all selected threads. */
static int totals_write(struct fxt_page *page, const struct fxt_machine *m, const struct fxt_report *r)
{
	const struct fxt_account *a = &r->all;
	const struct fxt_report_row all = { .account = (struct fxt_account *)a };
	struct fxt_json_writer w = { 0 };
	unsigned int c;
	int err;

	fxt_json_open(&w, '{');
	fxt_json_put_number(&w, "threads", r->count);
	for (c = 0; c < FXT_COLUMNS; c++)
		if (fxt_columns[c].kind == FXT_KIND_TIME && (m->reasons || !fxt_columns[c].needs_reasons))
			fxt_column_json(&w, &all, c);
	/* Switches of all threads are the sum of the CPUs' switches. */
	for (c = 0; c < FXT_COLUMNS; c++)
		if (fxt_columns[c].kind == FXT_KIND_COUNT && c != FXT_COLUMN_SWITCHES)
			fxt_column_json(&w, &all, c);
	err = waits_put(&w, "latency", &a->latency);
	if (!err)
		err = waits_put(&w, "preempted", &a->preempted);
	fxt_json_close(&w, '}');
	if (err)
		fxt_buffer_uninit(&w.text);
	return err ? err : fxt_page_json(page, "totals", &w);
}

/* Groupings of threads that tables have besides single threads; "report-comm" and so on are their parts. */
static const enum fxt_report_by groupings[] = { FXT_BY_PROCESS, FXT_BY_COMM, FXT_BY_CGROUP };
#define GROUPINGS	(sizeof(groupings) / sizeof(*groupings))
#define ID_BYTES	32u

static const char *id_of(char id[ID_BYTES], const char *what, enum fxt_report_by by)
{
	snprintf(id, ID_BYTES, by == FXT_BY_THREAD ? "%s" : "%s-%s", what, fxt_report_by_names[by]);
	return id;
}

static int report_write(struct fxt_page *page, struct fxt_page_matters *p, enum fxt_report_by by)
{
	char id[ID_BYTES];
	struct fxt_report report;
	struct fxt_report_view view = {
		.origins = p->origins,
		.report = &report,
		.loads = &p->loads,
		.selection = p->selection,
		.top = by == FXT_BY_THREAD ? FXT_PAGE_THREADS : FXT_PAGE_GROUPS,
		.rows_only = by != FXT_BY_THREAD,
		.brief = true,
	};
	int err = fxt_report_init(&report, &p->accounts, 1, by, p->selection, FXT_COLUMNS);

	/* Without scheduling, there are no figures of any thread. */
	if (!err && !report.count && p->m->seen_count && fxt_selection_tasks_any(p->selection))
		err = -ESRCH;
	if (!err && by == FXT_BY_THREAD)
		err = totals_write(page, p->m, &report);
	if (!err && fxt_page_json_open(page, id_of(id, "report", by)))
		err = fxt_report_json(page->json, &view);
	if (!err || page->json)
		err = fxt_page_json_close(page) ? page->err : err;
	fxt_report_uninit(&report);
	return err;
}

static int blame_write(struct fxt_page *page, struct fxt_page_matters *p, enum fxt_report_by by)
{
	char id[ID_BYTES];
	struct fxt_matrix matrix;
	struct fxt_blame_view view = {
		.origins = p->origins,
		.matrix = &matrix,
		.waits = &p->waits,
		.top = by == FXT_BY_THREAD ? FXT_PAGE_VICTIMS : FXT_PAGE_GROUP_VICTIMS,
		.culprits = FXT_PAGE_CULPRITS,
		.rows_only = by != FXT_BY_THREAD,
	};
	int err = fxt_matrix_init(&matrix, &p->blame, 1, by, p->selection, FXT_MATRIX_WAITED);

	/* Only the rows of single threads have stories of waits. */
	if (!err && by == FXT_BY_THREAD)
		err = fxt_waits_settle(&p->waits);
	if (!err && fxt_page_json_open(page, id_of(id, "blame", by)))
		err = fxt_blame_json(page->json, &view);
	if (!err || page->json)
		err = fxt_page_json_close(page) ? page->err : err;
	fxt_matrix_uninit(&matrix);
	return err;
}

/* Writes each grouping, and threads, which have to be the last matrix. */
static int groupings_write(struct fxt_page *page, struct fxt_page_matters *p)
{
	size_t i;
	int err = report_write(page, p, FXT_BY_THREAD);

	for (i = 0; i < GROUPINGS && !err; i++)
		err = report_write(page, p, groupings[i]);
	for (i = 0; i < GROUPINGS && !err; i++)
		err = blame_write(page, p, groupings[i]);
	return err ? err : blame_write(page, p, FXT_BY_THREAD);
}

/* Writes the locks that threads waited for longest. */
static int locks_write(struct fxt_page *page, struct fxt_page_matters *p)
{
	struct fxt_reason_rows rows;
	const struct fxt_reasons_view view = {
		.origins = p->origins, .rows = &rows, .by = FXT_BY_LOCK, .top = FXT_PAGE_LOCKS,
	};
	int err = fxt_reason_rows_init(&rows, &p->locks, 1);

	if (!err && fxt_page_json_open(page, "locks"))
		err = fxt_reasons_json(page->json, &view);
	if (!err || page->json)
		err = fxt_page_json_close(page) ? page->err : err;
	fxt_reason_rows_uninit(&rows);
	return err;
}

int fxt_page_matters_write(struct fxt_page *page, struct fxt_page_matters *p)
{
	int err = facts_write(page, p);

	if (!err)
		err = groupings_write(page, p);
	if (!err)
		err = fxt_page_heat_write(page, &p->heat);
	if (!err && p->m->reasons)
		err = locks_write(page, p);
	if (!err && p->m->stacks)
		err = fxt_page_stacks_write(page, &p->flame, p->origins);
	return err;
}
