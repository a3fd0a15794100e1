// SPDX-License-Identifier: GPL-2.0-only
/* The page's first part: what report and blame say, as their own JSON, and what only the page has. */
#include <errno.h>

#include "page/matters.h"
#include "show/blame.h"
#include "show/report.h"

int fxt_page_matters_init(struct fxt_page_matters *p, struct fxt_machine *m, const struct fxt_selection *selection)
{
	int err;

	*p = (struct fxt_page_matters){ .m = m, .selection = selection };
	fxt_accounts_init(&p->accounts, m);
	fxt_loads_init(&p->loads, m);
	err = fxt_blame_init(&p->blame, m);
	fxt_waits_worst(&p->waits, &p->blame, selection, p->worst, FXT_PAGE_WORST);
	fxt_flame_init(&p->flame, m, selection);
	return err;
}

void fxt_page_matters_uninit(struct fxt_page_matters *p)
{
	fxt_flame_uninit(&p->flame);
	fxt_blame_uninit(&p->blame);
	fxt_accounts_uninit(&p->accounts);
}

/* What the recording says of itself, and of all threads together. */
static void facts_put(struct fxt_json_writer *w, const struct fxt_page_matters *p)
{
	const struct fxt_origin *o = p->origin;

	fxt_json_open(w, '{');
	fxt_json_put_string(w, "fxtrec", FXT_VERSION);
	fxt_origin_json(w, p->file, o);
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
	fxt_json_key(w, "wakes");
	fxt_json_bool(w, p->m->wakes);
	fxt_json_key(w, "stacks");
	fxt_json_bool(w, p->m->stacks);
	fxt_json_close(w, '}');
}

static int facts_write(struct fxt_page *page, const struct fxt_page_matters *p)
{
	FILE *out = fxt_page_json_open(page, "facts");
	struct fxt_json_writer w = { 0 };
	int err = 0;

	if (out) {
		facts_put(&w, p);
		err = fxt_json_print(&w, out);
	}
	fxt_buffer_uninit(&w.text);
	return fxt_page_json_close(page) ? page->err : err;
}

static int report_write(struct fxt_page *page, struct fxt_page_matters *p)
{
	struct fxt_report report;
	struct fxt_report_view view = {
		.file = p->file,
		.m = p->m,
		.origin = p->origin,
		.report = &report,
		.loads = &p->loads,
		.selection = p->selection,
		.top = FXT_PAGE_THREADS,
		.brief = true,
	};
	int err = fxt_report_init(&report, &p->accounts, FXT_BY_THREAD, p->selection, FXT_COLUMNS);
	FILE *out = fxt_page_json_open(page, "report");

	if (!err && out)
		err = fxt_report_json(out, &view);
	fxt_report_uninit(&report);
	return fxt_page_json_close(page) ? page->err : err;
}

static int blame_write(struct fxt_page *page, struct fxt_page_matters *p)
{
	struct fxt_matrix matrix;
	struct fxt_blame_view view = {
		.file = p->file,
		.m = p->m,
		.origin = p->origin,
		.matrix = &matrix,
		.worst = &p->waits,
		.top = FXT_PAGE_VICTIMS,
		.culprits = FXT_PAGE_CULPRITS,
	};
	int err = fxt_matrix_init(&matrix, &p->blame, FXT_BY_THREAD, p->selection);
	FILE *out = fxt_page_json_open(page, "blame");

	if (!err && out)
		err = fxt_blame_json(out, &view);
	fxt_matrix_uninit(&matrix);
	return fxt_page_json_close(page) ? page->err : err;
}

int fxt_page_matters_write(struct fxt_page *page, struct fxt_page_matters *p)
{
	int err = facts_write(page, p);

	if (!err)
		err = report_write(page, p);
	if (!err)
		err = blame_write(page, p);
	return err;
}
