// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec blame: what made each thread wait for a CPU. */
#include <string.h>

#include "cmd_analyze.h"
#include "command.h"
#include "show/blame.h"
#include "show/print.h"
#include "util/report.h"

struct blame_options {
	struct analyze_options common;
	enum fxt_report_by by;
};

enum { KEY_BY = 0x2000 };

static const struct argp_option table[] = {
	{ "by", KEY_BY, "thread|process|comm|cgroup|container", 0, "What victims and culprits are; thread is the default", 1 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct blame_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		break;
	case KEY_BY:
		o->by = analyze_by(arg, FXT_BY_CPU, state);
		break;
	case ARGP_KEY_SUCCESS:
		if (o->common.sort)
			argp_error(state, "--sort: victims are in the order of their waits");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = { { &analyze_argp, 0, NULL, 0 }, { 0 } };
const struct argp cmd_blame_argp = {
	table, parse, "FILE...",
	"Prints what made each thread wait: each wait of a thread for a CPU, after a wakeup or a preemption, is cut "
	"by what ran meanwhile on the CPU whose queue the thread was in: a thread, an interrupt or a softirq "
	"(where the recording has them), nothing (idle), or what isn't known.  -p, -t, --comm, --cgroup "
	"choose the victims."
	"\v"
	"FILE is of any format that \"fxtrec convert\" reads; several files are one trace.\n",
	children, NULL, NULL,
};

static int view_print(const struct blame_options *o, const struct fxt_blame_view *view)
{
	struct fxt_screen screen;
	int err = 0;

	fxt_screen_init(&screen);
	if (!o->common.format)
		fxt_blame_text(&screen, view);
	else if (!strcmp(o->common.format, "csv"))
		fxt_blame_csv(stdout, view);
	else
		err = fxt_blame_json(stdout, view);
	return fxt_print_finish(stdout, analyze_failed(err));
}

static int blame_print(const struct blame_options *o, const struct analysis *a, struct fxt_blame *blame,
		       const struct fxt_waits *worst)
{
	struct fxt_matrix matrix;
	struct fxt_blame_view view = {
		.file = a->file,
		.m = &a->machine,
		.origin = &a->origin,
		.matrix = &matrix,
		.worst = worst,
		.top = o->common.top,
	};
	int status = analyze_failed(fxt_matrix_init(&matrix, blame, o->by, &o->common.selection));

	if (!status)
		status = view_print(o, &view);
	fxt_matrix_uninit(&matrix);
	return status;
}

int cmd_blame(int argc, char **argv)
{
	static struct analysis analysis;
	static struct fxt_blame blame;
	static struct fxt_waits waits;
	static struct fxt_wait worst[FXT_WAITS_WORST];
	struct blame_options o = { 0 };
	int status, err = argp_parse(&cmd_blame_argp, argc, argv, 0, NULL, &o);

	if (err)
		return fxt_report("%s", strerror(err));
	status = analyze_open(&analysis, &o.common);
	if (!status) {
		status = analyze_failed(fxt_blame_init(&blame, &analysis.machine));
		fxt_waits_worst(&waits, &blame, &o.common.selection, worst, FXT_WAITS_WORST);
		if (!status)
			status = analyze_run(&analysis);
		if (!status)
			status = blame_print(&o, &analysis, &blame, &waits);
		fxt_blame_uninit(&blame);
	}
	analyze_close(&analysis, &o.common);
	return status;
}
