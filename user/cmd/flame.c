// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec flame: sums up the time that threads were blocked and slept, by stack. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/analyze.h"
#include "cmd/command.h"
#include "show/flame/flame.h"
#include "show/nobody.h"
#include "show/print.h"
#include "show/unmatched.h"
#include "util/report.h"

struct flame_options {
	struct analyze_options common;
	bool all, svg, folded;
};

enum { KEY_SVG = 0x2000, KEY_FOLDED };

static const struct argp_option table[] = {
	{ "all", 'a', NULL, 0, "Idle pools, too", 1 },
	{ "svg", KEY_SVG, NULL, 0, "Print a flame graph", 1 },
	{ "folded", KEY_FOLDED, NULL, 0, "Print folded lines on a terminal, too", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(top), { 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct flame_options *o = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case 'a':
		o->all = true;
		break;
	case KEY_SVG:
		o->svg = true;
		break;
	case KEY_FOLDED:
		o->folded = true;
		break;
	case ARGP_KEY_SUCCESS:
		if (o->common.top_given && (o->svg || o->folded))
			argp_error(state, "--top is of the table: not with --svg or --folded");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_flame_argp = {
	table, parse, "[FILE...]",
	"Prints how long threads were blocked and slept, by stack, if the recording has stacks (\"fxtrec "
	"record --stacks\", or --stacks=all for interruptible sleeps): folded lines, \"process;thread;outermost;"
	"...;innermost NS\", a flame graph, or, on a terminal and with --top, a table, the longest first.  Idle "
	"pools are left out: interruptible sleeps that a thread spent nine tenths of its life or more in."
	"\v"
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace, or "
	"of several machines.\n",
	children, NULL, NULL,
};

/* Reports the reason why there is nothing to show. */
static int nothing_report(const struct flame_options *o, const struct analysis *a, const struct fxt_flame_lines *lines)
{
	const struct fxt_selection *selection = &o->common.selection;
	char text[FXT_NOBODY_BYTES], unmatched[FXT_UNMATCHED_BYTES];
	bool stacks = false;
	__u32 i;

	if (lines->idle)
		return fxt_report("%s: only idle pools slept: --all shows them", a->file);
	for (i = 0; i < a->machines.count; i++)
		stacks |= a->machines.of[i].m.stacks;
	if (stacks && fxt_unmatched_threads(unmatched, selection, &a->origins))
		return fxt_report("%s: no such thread slept with a stack in that time: %s", a->file, unmatched);
	if (stacks && fxt_selection_tasks_any(selection) && fxt_nobody_silent(selection, &a->origins))
		return fxt_report("%s: %s", a->file, fxt_nobody_text(text, selection, &a->origins));
	if (stacks)
		return fxt_report("%s: no such thread slept with a stack in that time", a->file);
	return fxt_report("%s: no stacks of what slept in it (fxtrec record --stacks)", a->file);
}

static int flame_print(const struct flame_options *o, const struct analysis *a, const struct fxt_flame *flames)
{
	bool limited = analyze_limited(&o->common);
	struct fxt_flame_lines lines;
	int err = fxt_flame_lines_init(&lines, flames, &a->origins, o->all), status = analyze_failed(a, err);

	if (!err && !lines.count) {
		status = nothing_report(o, a, &lines);
	} else if (!err) {
		if (!flames->m->wakes)
			fxt_report("no wakeups in it: what threads waited for a CPU after they slept is in it, too");
		if (o->svg)
			fxt_flame_svg(stdout, &lines, a->file);
		else if (!o->folded && (limited || o->common.top_given))
			fxt_flame_table(&lines, &a->origins, analyze_rows(&o->common));
		else
			fxt_flame_folded(stdout, &lines);
	}
	fxt_flame_lines_uninit(&lines);
	return fxt_print_finish(stdout, status);
}

static int flame_run(void *options, struct analysis *a)
{
	const struct flame_options *o = options;
	struct fxt_flame *flames = calloc(a->machines.count, sizeof(*flames));
	int status;
	__u32 i;

	if (!flames)
		return analyze_failed(a, -ENOMEM);
	for (i = 0; i < a->machines.count; i++)
		fxt_flame_init(&flames[i], &a->machines.of[i].m, &o->common.selection);
	status = analyze_run(a);
	if (!status)
		status = flame_print(o, a, flames);
	for (i = 0; i < a->machines.count; i++)
		fxt_flame_uninit(&flames[i]);
	free(flames);
	return status;
}

int cmd_flame(int argc, char **argv)
{
	struct flame_options o = { .common.sched_only = true };

	return analyze_main(argc, argv, &cmd_flame_argp, &o.common, flame_run);
}
