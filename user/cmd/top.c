// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec top: shows the work of threads and CPUs, second by second. */
#include <errno.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/top.h"
#include "files/create.h"
#include "show/print.h"
#include "show/reasons.h"
#include "show/report.h"
#include "util/quantity.h"
#include "util/report.h"
#include "util/time.h"

#define INTERVAL_MIN_NS	1000000ULL

/* The most laps of a replay that wait for later facts. */
#define PATIENCE	64u

enum { KEY_BY = 0x2000, KEY_BATCH, KEY_INTERVAL, KEY_BACKEND, KEY_CLOCK, KEY_PROMETHEUS };

static const struct argp_option table[] = {
	{ "batch", KEY_BATCH, NULL, 0, "Print each second to standard output, instead of a screen", 1 },
	{ "iterations", 'n', "N", 0, "End after N seconds, or N intervals of --interval", 1 },
	{ "interval", KEY_INTERVAL, "TIME", 0, "Show each TIME instead of each second (1s)", 1 },
	{ "by", KEY_BY, "thread|process|comm|cgroup|container|cpu|lock", 0, "A row for each; thread is the default", 1 },
	{ "prometheus", KEY_PROMETHEUS, "ADDRESS", OPTION_ARG_OPTIONAL, "Without a FILE, instead of a screen: answer "
	  "GET /metrics at ADDRESS (127.0.0.1:9464); rows are by comm, or --by", 2 },
	{ "output", 'o', "FILE", 0, "Without a FILE to read: keep the recording in FILE, as FXT", 2 },
	{ "buffer", 'b', "SIZE[:N]", 0, "Without a FILE: memory for the rings of each CPU, as of \"fxtrec record\"", 2 },
	{ "backend", KEY_BACKEND, "auto|kmod|bpf", 0, "Without a FILE", 2 },
	{ "clock", KEY_CLOCK, "auto|mono|boot|tsc", 0, "Without a FILE; mono is the default", 2 },
	{ 0 }
};

static void times_parse(struct top_options *o, const char *arg, struct argp_state *state)
{
	if (fxt_quantity_count(arg, 0, &o->times) || !o->times)
		argp_error(state, "-n %s: no number of seconds", arg);
}

/* Checks options that apply only to a recording, or only to a FILE. */
static void live_check(const struct top_options *o, const struct argp_state *state)
{
	const struct fxt_window *w = &o->common.window;

	if (o->common.convert.input_count && (o->output || o->buffer || o->backend || o->clock || o->address))
		argp_error(state, "-o, -b, --backend, --clock and --prometheus are of a recording: not with a FILE to read");
	if (!o->common.convert.input_count && (w->from.kind || w->to.kind || o->common.convert.from))
		argp_error(state, "--time and --from are of files: give FILE");
	if (o->by == FXT_BY_LOCK && (o->address || o->common.sort))
		argp_error(state, "--by=lock has no %s", o->address ? "metrics" : "--sort");
	if (o->by == FXT_BY_REASON)
		argp_error(state, "--by=reason is of \"fxtrec report\"");
	if (o->common.format && !o->batch)
		argp_error(state, "--json and --csv are of --batch");
	if (o->output && fxt_create_is_standard(o->output))
		argp_error(state, "-o -: standard output is for the figures");
}

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(cpus),
	ANALYZE_CHILD(format), ANALYZE_CHILD(top), ANALYZE_CHILD(sort), { 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct top_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case KEY_BATCH:
		o->batch = true;
		break;
	case 'n':
		times_parse(o, arg, state);
		break;
	case KEY_INTERVAL:
		if (fxt_quantity_duration(arg, &o->interval) || o->interval < INTERVAL_MIN_NS)
			argp_error(state, "--interval=%s: no duration of 1ms or more", arg);
		break;
	case KEY_BY:
		o->by = analyze_by(arg, FXT_BYS, state);
		break;
	case KEY_PROMETHEUS:
		o->address = arg ? arg : "127.0.0.1:9464";
		if (!top_serve_address(o->address))
			argp_error(state, "--prometheus=%s: no address and port (127.0.0.1:9464, [::1]:9464, :9464)", arg);
		break;
	case 'o':
		o->output = arg;
		break;
	case 'b':
		o->buffer = arg;
		break;
	case KEY_BACKEND:
		o->backend = arg;
		break;
	case KEY_CLOCK:
		o->clock = arg;
		break;
	case ARGP_KEY_SUCCESS:
		if (o->by == FXT_BYS)
			o->by = o->address ? FXT_BY_COMM : FXT_BY_THREAD;
		o->sort = analyze_sort(&o->common, state);
		live_check(o, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

#define COLUMN_HELP(id, name, ...)		" " name

const struct argp cmd_top_argp = {
	table, parse, "[FILE...]",
	"Shows the figures of \"fxtrec report\" for each second: of this machine while it runs, or of a trace.  "
	"FILE is of any format that \"fxtrec convert\" reads; several files are one trace."
	"\v"
	"Columns of --sort:" FXT_REPORT_COLUMNS(COLUMN_HELP) "\n",
	children, NULL, NULL,
};

void top_laps_init(struct top *top, struct fxt_machine *m, unsigned int patience)
{
	fxt_laps_init(&top->laps, m, top->options->interval, patience);
	if (!top_has_locks(top->options))
		return;
	fxt_reasons_init(&top->reasons, m, &top->options->common.selection, FXT_BY_LOCK);
	top->laps.reasons = &top->reasons;
}

void top_laps_uninit(struct top *top)
{
	fxt_laps_uninit(&top->laps);
	if (top_has_locks(top->options))
		fxt_reasons_uninit(&top->reasons);
}

/* Prints the locks of a lap. */
static int locks_print(struct top *t, const struct fxt_origins *origins)
{
	struct fxt_reason_rows rows;
	const struct fxt_reasons_view view = {
		.origins = origins,
		.rows = &rows,
		.by = FXT_BY_LOCK,
		.format = t->options->common.format,
		.top = t->options->common.top,
	};
	int err = fxt_reason_rows_init(&rows, &t->reasons, 1);

	if (!err)
		err = fxt_reasons_print(&view);
	t->rows = t->rows || rows.count;
	fxt_reason_rows_uninit(&rows);
	return err;
}

/* Prints the threads of a lap, or the groups of threads. */
static int threads_print(struct top *t, const struct fxt_origins *origins, const struct fxt_report *report)
{
	const struct top_options *o = t->options;
	const struct fxt_report_view view = {
		.origins = origins,
		.report = report,
		.loads = &t->laps.loads,
		.selection = &o->common.selection,
		.top = o->common.top,
	};

	t->rows = t->rows || report->count;
	return fxt_report_print(o->common.format, &view);
}

/* Prints a lap; report: NULL for its locks. */
static int lap_print(struct top *t, const struct fxt_report *report)
{
	const struct top_options *o = t->options;
	const struct fxt_origin *origin = &t->laps.origin;
	const struct fxt_origins origins = { .file = t->file, .of = &origin, .count = 1 };
	int err = report ? threads_print(t, &origins, report) : locks_print(t, &origins);

	if (!o->common.format || !strcmp(o->common.format, "csv"))
		fputc('\n', stdout);
	/* A failed write ends the command; fxt_print_finish() reports it. */
	fflush(stdout);
	return err == -ENOMEM ? err : ferror(stdout) ? 1 : 0;
}

/* Prints the threads of a lap, and adds it to the metrics. */
static int report_show(struct top *t, struct fxt_lap *lap)
{
	const struct top_options *o = t->options;
	struct fxt_report report;
	int err = fxt_report_init(&report, &lap->accounts, 1, o->by, &o->common.selection, o->sort);

	if (!err && o->address)
		err = fxt_metrics_add(&t->metrics, &report, &t->laps, &o->common.selection);
	if (!err && o->batch)
		err = lap_print(t, &report);
	fxt_report_uninit(&report);
	return err;
}

static int top_print(void *arg, struct fxt_lap *lap)
{
	struct top *t = arg;
	int err = t->options->by == FXT_BY_LOCK ? lap_print(t, NULL) : report_show(t, lap);

	return err ? err : ++t->shown == t->options->times;
}

static int replay_put(void *arg, const struct fxt_record *r)
{
	return fxt_laps_put(arg, r);
}

static int replay_end(void *arg)
{
	return fxt_laps_end(arg);
}

static int screen_open(struct top *top)
{
	int err = top_has_screen(top->options) ? top_screen_open(top) : 0;

	if (err == -ENOSYS)
		return fxt_report("this build has no screen, as libncurses-dev was missing: give --batch");
	return err ? fxt_report("no terminal to show it on: give --batch") : FXT_DONE;
}

/* Replays files. */
static int replay(struct top *top, struct top_options *o)
{
	static const struct analyze_ops ops = { replay_put, replay_end };
	static struct analysis analysis;
	int status = analyze_open_one(&analysis, &o->common);

	if (!status)
		status = screen_open(top);
	if (!status) {
		top->file = analysis.file;
		analysis.conversion.progress.shown &= !top_has_screen(o);
		top_laps_init(top, &analysis.machines.of[0].m, PATIENCE);
		status = analyze_run_with(&analysis, &ops, &top->laps);
		top_screen_hold(top);
		top_screen_close(top);
		if (!status)
			status = analyze_chosen(&analysis, &o->common, top->rows);
		top_laps_uninit(top);
	}
	analyze_close(&analysis, &o->common);
	return status;
}

int cmd_top(int argc, char **argv)
{
	static struct top top;
	struct top_options o = { .interval = SECOND_NS, .common.inputs_own = true, .by = FXT_BYS };
	int status, err = argp_parse(&cmd_top_argp, argc, argv, 0, NULL, &o);

	if (err)
		return fxt_report("%s", strerror(err));
	top = (struct top){ .options = &o, .laps = { .show = top_print, .arg = &top } };
	if (o.common.convert.input_count)
		return fxt_print_finish(stdout, replay(&top, &o));
	status = screen_open(&top);
	if (!status)
		status = top_live(&top);
	fxt_selection_uninit(&o.common.selection);
	return fxt_print_finish(stdout, status);
}
