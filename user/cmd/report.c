// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec report: sums up the time of each thread, process, control group and CPU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/assertion.h"
#include "cmd/analyze.h"
#include "cmd/command.h"
#include "show/print.h"
#include "show/reasons.h"
#include "show/report.h"
#include "util/quantity.h"
#include "util/report.h"
#include "util/shell.h"

#define ASSERTIONS_MAX	64u

struct report_options {
	struct analyze_options common;
	enum fxt_report_by by;
	bool by_given;
	enum fxt_report_column sort;
	__u64 over;		/* ns; 0: don't list waits */
	struct fxt_assertion assertions[ASSERTIONS_MAX];
	unsigned int assertion_count;
};

enum { KEY_BY = 0x2000, KEY_OVER, KEY_ASSERT };

static const struct argp_option table[] = {
	{ "by", KEY_BY, "thread|process|comm|cgroup|container|cpu|reason|lock", 0, "A row for each; thread is "
	  "the default; reason and lock sum sleeps", 1 },
	{ "over", KEY_OVER, "TIME", 0, "List each wait longer than TIME, such as 1ms, with its culprits", 1 },
	{ "assert", KEY_ASSERT, "FIGURE<VALUE", 0, "Exit with 3 if this doesn't hold: "
	  "'wakeup.p99{comm=nginx} < 200us', 'run{pid=7} > 5%', 'switches <= 100/s'; may be repeated", 1 },
	{ 0 }
};

static void assert_parse(struct report_options *o, const char *arg, struct argp_state *state)
{
	char taken[FXT_SHELL_TAKEN];
	struct fxt_error error;

	if (o->assertion_count == ASSERTIONS_MAX)
		argp_error(state, "--assert=%s: one too many", arg);
	if (!fxt_assertion_parse(&o->assertions[o->assertion_count++], arg, &error))
		return;
	if (*arg && !strpbrk(arg, "<>=!"))
		argp_error(state, "--assert=%s: %s: %s: --assert='run > 5%%'", arg, error.text, fxt_shell_taken(taken));
	else
		argp_error(state, "--assert=%s: %s; such as 'wakeup.p99{comm=nginx} < 200us'", arg, error.text);
}

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(cpus),
	ANALYZE_CHILD(format), ANALYZE_CHILD(top), ANALYZE_CHILD(sort), { 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case KEY_BY:
		o->by = analyze_by(arg, FXT_BYS, state);
		o->by_given = true;
		break;
	case KEY_OVER:
		o->over = analyze_over(arg, state);
		break;
	case KEY_ASSERT:
		assert_parse(o, arg, state);
		break;
	case ARGP_KEY_SUCCESS:
		analyze_over_check(&o->common, o->over, state);
		if (o->by >= FXT_BY_REASON && (o->over || o->common.sort))
			argp_error(state, "--by=%s has no %s", fxt_report_by_names[o->by], o->over ? "--over" : "--sort");
		o->sort = analyze_sort(&o->common, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

#define COLUMN_HELP(id, name, ...)		" " name

const struct argp cmd_report_argp = {
	table, parse, "[FILE...]",
	"Prints the times of each thread: on CPUs, waiting for a CPU after wakeups and after preemptions, sleeping "
	"and blocked; its switches, wakeups and migrations; its latencies after wakeups; and the load of each CPU.  "
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace, or of "
	"several machines.  Time that losses hide is \"unknown\"."
	"\v"
	"Columns of --sort:" FXT_REPORT_COLUMNS(COLUMN_HELP) "\n",
	children, NULL, NULL,
};

/* Observers of each machine. */
struct report_observers {
	struct fxt_accounts *accounts;
	struct fxt_loads *loads;
	struct fxt_blame *blames;	/* NULL, like waits, unless waits are listed */
	struct fxt_waits *waits;
	struct fxt_reasons *reasons;	/* NULL unless rows are by reason or by lock */
	struct fxt_suspects suspects;
	__u32 count;
	bool shown;		/* a row was printed */
};

static int report_print(const struct report_options *o, const struct analysis *a, struct report_observers *of)
{
	struct fxt_report report;
	struct fxt_report_view view = {
		.origins = &a->origins,
		.report = &report,
		.loads = of->loads,
		.waits = of->waits,
		.selection = &o->common.selection,
		.top = analyze_rows(&o->common),
		.limited = analyze_limited(&o->common),
	};
	int status = analyze_failed(a, fxt_report_init(&report, of->accounts, of->count, o->by,
						    &o->common.selection, o->sort));
	__u32 i;

	if (!status && view.limited && !o->by_given)
		status = analyze_failed(a, fxt_report_fold(&report, of->accounts, o->sort));
	for (i = 0; of->waits && i < of->count && !status; i++)
		status = analyze_failed(a, fxt_waits_settle(&of->waits[i]));
	if (!status)
		status = fxt_print_finish(stdout, analyze_failed(a, fxt_report_print(o->common.format, &view)));
	of->shown = report.count;
	fxt_report_uninit(&report);
	return status;
}

static int reasons_print(const struct report_options *o, const struct analysis *a, struct report_observers *of)
{
	struct fxt_reason_rows rows;
	const struct fxt_reasons_view view = {
		.origins = &a->origins,
		.rows = &rows,
		.by = o->by,
		.format = o->common.format,
		.top = analyze_rows(&o->common),
	};
	int err = fxt_reason_rows_init(&rows, of->reasons, of->count);

	if (!err)
		err = fxt_reasons_print(&view);
	of->shown = rows.count;
	fxt_reason_rows_uninit(&rows);
	return fxt_print_finish(stdout, analyze_failed(a, err));
}

/* Reports an assertion that doesn't hold, with the actual value. */
static int assertion_report(const struct fxt_assertion *a, const struct fxt_assertion_result *result)
{
	if (result->holds && result->hidden)
		fxt_report("%s: isn't known to hold: what its threads did is not all known", a->text);
	else if (result->holds)
		fxt_report("%s: isn't known to hold: scheduling events were lost", a->text);
	else if (!result->known)
		fxt_report("%s: doesn't hold: there is nothing of it in the trace", a->text);
	else if (result->is_time)
		fxt_report("%s: doesn't hold: it is %.3f us", a->text, result->value / 1e3);
	else
		fxt_report("%s: doesn't hold: it is %.6g%s", a->text, result->value,
			   a->unit == FXT_ASSERTION_SHARE ? " %" : a->unit == FXT_ASSERTION_RATE ? "/s" : "");
	return FXT_UNMET;
}

static bool lossy(const struct analysis *a)
{
	__u32 i;

	for (i = 0; i < a->machines.count; i++)
		if (a->machines.of[i].origin.lost_count || a->machines.of[i].origin.full_buffers)
			return true;
	return false;
}

static int assertions_check(const struct report_options *o, const struct analysis *analysis,
			    const struct report_observers *of)
{
	bool lost = lossy(analysis);
	struct fxt_assertion_result result;
	int status = FXT_DONE, err;
	unsigned int i;

	for (i = 0; i < o->assertion_count; i++) {
		err = fxt_assertion_check(&o->assertions[i], of->accounts, of->count, &o->common.selection,
					  &result);
		if (err)
			return analyze_failed(analysis, err);
		if (!result.holds || result.hidden || (lost && !fxt_assertion_certain(&o->assertions[i])))
			status = assertion_report(&o->assertions[i], &result);
	}
	return status;
}

static int observers_open(struct report_observers *of, struct analysis *a, const struct report_options *o)
{
	static const struct fxt_numbers none;	/* has a sum of all its waits */
	struct fxt_spill *spill = &a->conversion.spill;
	__u32 count = a->machines.count, i;

	*of = (struct report_observers){
		.accounts = calloc(count, sizeof(*of->accounts)),
		.loads = calloc(count, sizeof(*of->loads)),
		.blames = o->over ? calloc(count, sizeof(*of->blames)) : NULL,
		.waits = o->over ? calloc(count, sizeof(*of->waits)) : NULL,
		.reasons = o->by >= FXT_BY_REASON ? calloc(count, sizeof(*of->reasons)) : NULL,
	};
	if (!of->accounts || !of->loads || (o->over && (!of->blames || !of->waits)) ||
	    (o->by >= FXT_BY_REASON && !of->reasons) || fxt_suspects_init(&of->suspects, spill))
		return analyze_failed(a, -ENOMEM);
	of->count = count;
	for (i = 0; i < count; i++) {
		fxt_accounts_init(&of->accounts[i], &a->machines.of[i].m);
		fxt_loads_init(&of->loads[i], &a->machines.of[i].m);
		if (of->reasons)
			fxt_reasons_init(&of->reasons[i], &a->machines.of[i].m, &o->common.selection, o->by);
		if (!o->over)
			continue;
		fxt_blame_init(&of->blames[i], &a->machines.of[i].m, &of->suspects, &none);
		fxt_waits_init(&of->waits[i], &of->blames[i], &o->common.selection, o->over);
	}
	return FXT_DONE;
}

static void observers_close(struct report_observers *of, struct analysis *a)
{
	__u32 i;

	for (i = 0; i < of->count; i++) {
		fxt_accounts_uninit(&of->accounts[i]);
		if (of->reasons)
			fxt_reasons_uninit(&of->reasons[i]);
		if (of->blames)
			fxt_blame_uninit(&of->blames[i]);
	}
	fxt_suspects_uninit(&of->suspects, &a->conversion.spill);
	free(of->accounts);
	free(of->loads);
	free(of->blames);
	free(of->waits);
	free(of->reasons);
}

static int report_run(void *options, struct analysis *a)
{
	const struct report_options *o = options;
	struct report_observers of;
	int unmatched, status = observers_open(&of, a, o);

	if (!status)
		status = analyze_run(a);
	if (!status)
		status = of.reasons ? reasons_print(o, a, &of) : report_print(o, a, &of);
	if (!status) {
		status = assertions_check(o, a, &of);
		unmatched = analyze_chosen(a, &o->common, of.shown);
		status = status ? status : unmatched;
	}
	observers_close(&of, a);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct report_options o = { .common.sched_only = true };
	int status = analyze_main(argc, argv, &cmd_report_argp, &o.common, report_run);

	while (o.assertion_count)
		fxt_assertion_uninit(&o.assertions[--o.assertion_count]);
	return status;
}
