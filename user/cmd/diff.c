// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec diff: compares two recordings. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/analyze.h"
#include "cmd/command.h"
#include "cmd/trace_options.h"
#include "show/diff.h"
#include "show/print.h"
#include "show/unmatched.h"
#include "util/report.h"

/* Limit of heap memory for the figures of both recordings. */
#define SPILL_BYTES	((size_t)16 << 20)

/* Percent.  Below LEAST_MIN, the buckets of the histograms would count as changes. */
#define LEAST_MIN	2.0
#define LEAST_DEFAULT	2.0

struct diff_options {
	struct analyze_options common;
	double least;		/* percent */
};

enum { KEY_LEAST = 0x2000 };

static const struct argp_option table[] = {
	{ "least", KEY_LEAST, "PERCENT", 0, "Mark only figures that changed by more than PERCENT, 2 by default", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(format),
	ANALYZE_CHILD(top), { 0 }
};

/* Uses the recordings in the current folder that "fxtrec record" has left there, where no FILE is given. */
static void inputs_check(struct fxt_convert_options *o, const struct argp_state *state)
{
	static char *names[] = { FXT_TRACE_NAME ".old", FXT_TRACE_NAME };

	if (!o->input_count && !access(names[0], F_OK) && !access(names[1], F_OK)) {
		fxt_report("%s and %s: read, as no FILE is given", names[0], names[1]);
		o->inputs = names;
		o->input_count = 2;
	}
	if (!o->input_count)
		argp_error(state, "no FILE, and not both of %s and %s here: two FILEs: A and B", names[0], names[1]);
	if (o->input_count != 2)
		argp_error(state, "two FILEs: A and B");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff_options *o = state->input;
	char *end;

	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case KEY_LEAST:
		o->least = strtod(arg, &end);
		if (end == arg || (*end && strcmp(end, "%")) || !(o->least >= LEAST_MIN && o->least <= 1e6))
			argp_error(state, "--least=%s: no number of percent, 2 or more", arg);
		break;
	case ARGP_KEY_SUCCESS:
		inputs_check(&o->common.convert, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_diff_argp = {
	table, parse, "[A B]",
	"Prints the changes from recording A to recording B, by the names of threads: run, the share of a CPU; "
	"switches; and quantiles of bursts (a thread's run time from a wakeup to its next sleep), of waits after "
	"wakeups and preemptions, of sleep and of uninterruptible sleep; time asleep by class, such as lock or disk; "
	"and, by the names of marks and other durations, how long they take."
	"\v"
	"A figure is marked (*) if its change is certain: bursts and marks by more than --least; all others by far "
	"more, because they depend on other threads.  The certainty follows from the variation of the figure "
	"within each recording: fxtrec-diff(1).",
	children, NULL, NULL,
};

/* A side of the comparison: one recording. */
struct side {
	struct analysis analysis;
	struct fxt_figures figures;
	bool opened;		/* the analysis has to be closed */
};

static int side_read(struct side *side, const struct diff_options *o, int number, struct fxt_spill *spill)
{
	struct analyze_options one = o->common;
	int status;

	one.convert.inputs += number;
	one.convert.input_count = 1;
	side->opened = true;
	status = analyze_open_one(&side->analysis, &one);
	if (status)
		return status;
	fxt_figures_init(&side->figures, &side->analysis.machines.of[0].m, spill, &o->common.selection);
	status = analyze_run(&side->analysis);
	return status ? status : analyze_failed(&side->analysis, fxt_figures_settle(&side->figures));
}

static void side_close(struct side *side)
{
	struct analyze_options unselected = { 0 };

	if (side->figures.m)
		fxt_figures_uninit(&side->figures);
	if (side->opened)
		analyze_close(&side->analysis, &unselected);
}

/* Checks the choice of threads.  A thread in only one of the recordings is a result. */
static int chosen_check(const struct diff_options *o, const struct side *a, const struct side *b, bool shown)
{
	char text[FXT_UNMATCHED_BYTES];

	if (shown || !fxt_unmatched_threads(text, &o->common.selection, &a->analysis.origins))
		return FXT_DONE;
	return analyze_chosen(&b->analysis, &o->common, false);
}

static int diff_print(const struct diff_options *o, const struct side *a, const struct side *b)
{
	struct fxt_diff diff;
	struct fxt_diff_view view = {
		.diff = &diff,
		.a = &a->analysis.origins,
		.b = &b->analysis.origins,
		.top = analyze_rows(&o->common),
	};
	struct fxt_screen screen;
	bool shown;
	int status, err = fxt_diff_init(&diff, &a->figures, &b->figures, o->least / 100);

	fxt_screen_init(&screen);
	if (!err && !o->common.format)
		fxt_diff_text(&screen, &view);
	else if (!err && !strcmp(o->common.format, "csv"))
		fxt_diff_csv(stdout, &view);
	else if (!err)
		err = fxt_diff_json(stdout, &view);
	shown = diff.names;
	fxt_diff_uninit(&diff);
	status = fxt_print_finish(stdout, analyze_failed(&b->analysis, err));
	return status ? status : chosen_check(o, a, b, shown);
}

int cmd_diff(int argc, char **argv)
{
	static struct side sides[2];
	struct diff_options o = { .least = LEAST_DEFAULT, .common.sched_only = true, .common.inputs_own = true };
	struct fxt_spill spill;
	int status, err = argp_parse(&cmd_diff_argp, argc, argv, 0, NULL, &o);

	if (err)
		return fxt_report("%s", strerror(err));
	fxt_spill_init(&spill, SPILL_BYTES, NULL);
	status = side_read(&sides[0], &o, 0, &spill);
	if (!status)
		status = side_read(&sides[1], &o, 1, &spill);
	if (!status)
		status = diff_print(&o, &sides[0], &sides[1]);
	side_close(&sides[0]);
	side_close(&sides[1]);
	fxt_selection_uninit(&o.common.selection);
	fxt_spill_uninit(&spill);
	return status;
}
