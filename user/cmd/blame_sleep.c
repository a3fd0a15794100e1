// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec blame --sleep: finds the functions that threads slept in, and the threads that woke them. */
#include <errno.h>
#include <stdlib.h>

#include "cmd/blame.h"
#include "show/print.h"
#include "show/sleeps.h"

static int sleeps_print(const struct blame_options *o, const struct analysis *a, struct fxt_sleeps *sleeps)
{
	bool limited = analyze_limited(&o->common), chosen = fxt_selection_tasks_any(&o->common.selection);
	enum fxt_report_by by = limited && !o->by_given && !chosen ? FXT_BY_COMM : o->by;
	struct fxt_sleep_rows rows;
	struct fxt_sleeps_view view = {
		.origins = &a->origins,
		.rows = &rows,
		.selection = &o->common.selection,
		.format = o->common.format,
		.top = analyze_rows(&o->common),
	};
	bool shown;
	int status, err = fxt_sleep_rows_init(&rows, sleeps, a->machines.count, by, o->sleep_sort);

	if (!err)
		err = fxt_sleeps_print(&view);
	shown = rows.count;
	fxt_sleep_rows_uninit(&rows);
	status = fxt_print_finish(stdout, analyze_failed(a, err));
	return status ? status : analyze_chosen(a, &o->common, shown);
}

int blame_sleep(const struct blame_options *o, struct analysis *a)
{
	struct fxt_sleeps *sleeps = calloc(a->machines.count, sizeof(*sleeps));
	int status;
	__u32 i;

	if (!sleeps)
		return analyze_failed(a, -ENOMEM);
	for (i = 0; i < a->machines.count; i++)
		fxt_sleeps_init(&sleeps[i], &a->machines.of[i].m, &o->common.selection);
	status = analyze_run(a);
	if (!status)
		status = sleeps_print(o, a, sleeps);
	for (i = 0; i < a->machines.count; i++)
		fxt_sleeps_uninit(&sleeps[i]);
	free(sleeps);
	return status;
}
