// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec explain: says why units of work were late. */
#include <stdlib.h>

#include "cmd/analyze.h"
#include "cmd/command.h"
#include "show/explain/explain.h"
#include "show/print.h"
#include "util/quantity.h"
#include "util/report.h"

/* The default: ns that slow units take longer. */
#define LATE_NS		1000000

struct explain_options {
	struct analyze_options common;
	const char *mark;
	double quantile;
	__u64 late;
	bool json, markdown;
};

enum { KEY_MARK = 0x2000, KEY_SLOW, KEY_LATE, KEY_MARKDOWN, KEY_JSON };

static const struct argp_option table[] = {
	{ "mark", KEY_MARK, "NAME", 0, "Explain the durations of that name, of any thread or of those chosen", 1 },
	{ "slow", KEY_SLOW, "p99", 0, "Compare the slowest units, above this percentile; by default p99, or fewer if only these are late", 1 },
	{ "late", KEY_LATE, "TIME", 0, "Units are late if they take at least TIME longer than ordinary ones; 1ms is the "
	  "default", 1 },
	{ "markdown", KEY_MARKDOWN, NULL, 0, "Print a table for a ticket", 1 },
	{ "json", KEY_JSON, NULL, 0, "Print JSON", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), { 0 }
};

static double quantile_of(const char *arg, const struct argp_state *state)
{
	char *end;
	double percent = *arg == 'p' ? strtod(arg + 1, &end) : 0;

	if (*arg != 'p' || end == arg + 1 || *end || !(percent > 0 && percent < 100))
		argp_error(state, "--slow=%s: no percentile (p99)", arg);
	return percent / 100;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct explain_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case KEY_MARK:
		o->mark = arg;
		break;
	case KEY_SLOW:
		o->quantile = quantile_of(arg, state);
		break;
	case KEY_LATE:
		if (fxt_quantity_duration(arg, &o->late))
			argp_error(state, "--late=%s: no duration (1ms)", arg);
		break;
	case KEY_MARKDOWN:
		o->markdown = true;
		break;
	case KEY_JSON:
		o->json = true;
		break;
	case ARGP_KEY_SUCCESS:
		if (o->json && o->markdown)
			argp_error(state, "--json, --markdown: one of them");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_explain_argp = {
	table, parse, "[FILE...]",
	"Says why work was late: compares the slowest durations of a mark, or the slowest requests of a program "
	"(each from the end of a wait for work to the next one), with the ordinary ones, and says what they "
	"waited for longer.  Without a choice, the program that was late the most is explained."
	"\v"
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace.\n",
	children, NULL, NULL,
};

static int explain_print(const struct explain_options *o, const struct analysis *a, const struct fxt_explain *e)
{
	const struct fxt_explain_view view = {
		.origins = &a->origins, .explain = e,
		.files = o->common.convert.inputs, .file_count = o->common.convert.input_count,
	};
	struct fxt_screen screen;
	int err = 0;

	if (o->json) {
		err = fxt_explain_json(stdout, &view);
	} else if (o->markdown) {
		fxt_explain_markdown(stdout, &view);
	} else {
		fxt_screen_init(&screen);
		fxt_explain_text(&screen, &view);
	}
	return fxt_print_finish(stdout, analyze_failed(a, err));
}

static int explain_run(void *options, struct analysis *a)
{
	const struct explain_options *o = options;
	struct fxt_explain e;
	int status;

	if (a->machines.count > 1)
		return fxt_report("%s: recordings of different machines: --machine=N chooses one", a->file);
	fxt_explain_init(&e, &a->machines.of[0].m, &o->common.selection, o->mark, o->quantile, o->late);
	status = analyze_run(a);
	if (!status)
		status = analyze_failed(a, fxt_explain_solve(&e));
	if (!status && e.answer == FXT_ANSWER_NOTHING)
		status = analyze_chosen(a, &o->common, false);
	if (!status)
		status = explain_print(o, a, &e);
	fxt_explain_uninit(&e);
	return status;
}

int cmd_explain_json(const struct analyze_options *options)
{
	static struct analysis analysis;
	struct explain_options o = { .common = *options, .late = LATE_NS, .json = true };
	int status = analyze_open(&analysis, &o.common);

	return status ? status : explain_run(&o, &analysis);
}

int cmd_explain_file(char *file)
{
	char *argv[] = { "fxtrec explain", "--", file, NULL };

	return cmd_explain(3, argv);
}

int cmd_explain(int argc, char **argv)
{
	struct explain_options o = { .late = LATE_NS };

	return analyze_main(argc, argv, &cmd_explain_argp, &o.common, explain_run);
}
