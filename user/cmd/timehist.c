// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec timehist: prints a row for each context switch, in the format of perf sched timehist. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/analyze.h"
#include "cmd/command.h"
#include "show/print.h"
#include "show/timehist.h"
#include "util/report.h"

struct timehist_options {
	struct analyze_options common;
	bool idle;
};

static const struct argp_option table[] = {
	{ "idle", 'i', NULL, 0, "Rows of idle CPUs, too", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(cpus),
	ANALYZE_CHILD(format), ANALYZE_CHILD(top), { 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct timehist_options *o = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case 'i':
		o->idle = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_timehist_argp = {
	table, parse, "[FILE...]",
	"Prints a row each time that a thread leaves its CPU: how long it had waited since it last left a CPU "
	"(wait time), the part of the wait since its wakeup (sch delay), how long it ran (run time), its state as "
	"it leaves, the CPU that it came from, its waker, and the reason of its sleep.  \"?\" is an unknown time."
	"\v"
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace, or "
	"of several machines.\n",
	children, NULL, NULL,
};

static int timehist_run(void *options, struct analysis *a)
{
	const struct timehist_options *o = options;
	struct fxt_timehist_view view = {
		.several = a->machines.count > 1,
		.selection = &o->common.selection,
		.format = !o->common.format ? FXT_TIMEHIST_TEXT :
			  !strcmp(o->common.format, "csv") ? FXT_TIMEHIST_CSV : FXT_TIMEHIST_JSON,
		.out = stdout,
		.idle = o->idle,
		.left = o->common.top ? o->common.top : ~0ULL,
	};
	struct fxt_timehist *of = calloc(a->machines.count, sizeof(*of));
	struct fxt_screen screen;
	int status;
	__u32 i;

	if (!of)
		return analyze_failed(a, -ENOMEM);
	fxt_screen_init(&screen);
	for (i = 0; i < a->machines.count; i++)
		fxt_timehist_init(&of[i], &a->machines.of[i].m, fxt_timehist_put, &view);
	fxt_timehist_head(&screen, &view, a->file);
	status = analyze_run(a);
	if (!status)
		status = analyze_failed(a, fxt_timehist_foot(&view));
	fxt_timehist_flush(&view);
	fxt_buffer_uninit(&view.rows);
	free(of);
	status = fxt_print_finish(stdout, status);
	return status ? status : analyze_chosen(a, &o->common, view.any);
}

int cmd_timehist(int argc, char **argv)
{
	struct timehist_options o = { .common.sched_only = true };

	return analyze_main(argc, argv, &cmd_timehist_argp, &o.common, timehist_run);
}
