// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec path: finds the threads and states that a thread's result waited for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/analyze.h"
#include "cmd/command.h"
#include "show/nobody.h"
#include "show/path/path.h"
#include "show/print.h"
#include "show/unmatched.h"
#include "util/report.h"

struct path_options {
	struct analyze_options common;
	enum fxt_report_by by;
	const char *mark;
};

/* Number of segments of the longest window in the text. */
#define SEGMENTS	10u

enum { KEY_MARK = 0x2000, KEY_BY };

static const struct argp_option table[] = {
	{ "by", KEY_BY, "thread|process|comm|cgroup|container", 0, "The rows of the sums; thread is the default", 1 },
	{ "mark", KEY_MARK, "NAME", 0, "A window for each duration of that name, on any thread or on those chosen", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(format),
	ANALYZE_CHILD(top), { 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct path_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case KEY_MARK:
		o->mark = arg;
		break;
	case KEY_BY:
		o->by = analyze_by(arg, FXT_BY_CPU, state);
		break;
	case ARGP_KEY_SUCCESS:
		if (o->by && o->common.format && !strcmp(o->common.format, "csv"))
			argp_error(state, "--by: sums have no CSV: text or --json");
		if (!o->mark && !fxt_selection_tasks_any(&o->common.selection))
			argp_error(state, "the path of what: -t TID, or --mark=NAME");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_path_argp = {
	table, parse, "[FILE...] {-t TID|--mark=NAME}",
	"Prints the critical path of a thread, or of every duration of a name: the runs and waits that its result "
	"depended on.  While the thread runs, or waits for a CPU, the path is the thread's own; while it sleeps, "
	"the path is that of its waker, up to an interrupt or an unknown thread.  The segments of a window cover "
	"the window."
	"\v"
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace, or "
	"of several machines.\n",
	children, NULL, NULL,
};

static int path_print(const struct path_options *o, const struct analysis *a, struct fxt_path *paths)
{
	struct fxt_path_view view = {
		.origins = &a->origins,
		.paths = paths,
		.by = o->by,
		.format = o->common.format,
		.top = analyze_rows(&o->common),
		.segments = o->common.top_given ? o->common.top : SEGMENTS,
	};
	char text[FXT_NOBODY_BYTES], unmatched[FXT_UNMATCHED_BYTES];
	struct fxt_screen screen;
	bool nobody = false;
	size_t windows = 0;
	__u32 i;

	for (i = 0; i < a->machines.count; i++) {
		windows += paths[i].windows.count;
		nobody |= paths[i].nobody;
		view.open += paths[i].open_count;
	}
	if (!windows && nobody)
		return fxt_report("%s: \"%s\" is asynchronous, and no thread is known to end it", a->file, o->mark);
	if (!windows && view.open)
		return fxt_report("%s: no duration \"%s\" ends in that time, without an end: %llu (-t follows a thread)",
				  a->file, o->mark, view.open);
	if (!windows && !o->mark)
		return analyze_chosen(a, &o->common, false) ? FXT_FAILED :
		       fxt_report("%s: %s", a->file, fxt_nobody_text(text, &o->common.selection, &a->origins));
	if (!windows && fxt_unmatched_threads(unmatched, &o->common.selection, &a->origins))
		return fxt_report("%s: no duration \"%s\" of the chosen threads in that time: %s", a->file, o->mark, unmatched);
	if (!windows)
		return fxt_report(fxt_selection_tasks_any(&o->common.selection) ?
				  "%s: no duration \"%s\" of the chosen threads in that time" :
				  "%s: no duration \"%s\" in that time", a->file, o->mark);
	if (o->common.format)
		screen = (struct fxt_screen){ .out = stdout };
	else
		fxt_screen_init(&screen);
	return fxt_print_finish(stdout, analyze_failed(a, fxt_path_print(&screen, &view)));
}

static int path_run(void *options, struct analysis *a)
{
	const struct path_options *o = options;
	struct fxt_path *paths = calloc(a->machines.count, sizeof(*paths));
	int status;
	__u32 i;

	if (!paths)
		return analyze_failed(a, -ENOMEM);
	for (i = 0; i < a->machines.count; i++)
		fxt_path_init(&paths[i], &a->machines.of[i].m, &o->common.selection, o->mark);
	status = analyze_run(a);
	if (!status)
		status = path_print(o, a, paths);
	for (i = 0; i < a->machines.count; i++)
		fxt_path_uninit(&paths[i]);
	free(paths);
	return status;
}

int cmd_path(int argc, char **argv)
{
	struct path_options o = { 0 };

	return analyze_main(argc, argv, &cmd_path_argp, &o.common, path_run);
}
