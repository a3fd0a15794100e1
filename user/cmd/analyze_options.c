// SPDX-License-Identifier: GPL-2.0-only
/* Common options of the commands that analyze traces, in parts: each command has some of the parts. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cmd/analyze.h"
#include "cmd/trace_options.h"
#include "model/wait.h"
#include "show/report.h"
#include "show/unmatched.h"
#include "util/near.h"
#include "util/quantity.h"
#include "util/report.h"

#define TERMINAL_ROWS	20u

enum { KEY_COMM = 0x1100, KEY_CGROUP, KEY_JSON, KEY_CSV, KEY_TOP, KEY_SORT, KEY_SPOOL, KEY_MACHINE, KEY_CLASS };

static const struct argp_option input_table[] = {
	FXT_TIME_OPTION("Only"),
	{ "machine", KEY_MACHINE, "N", 0, "Of several machines, only this one: its number in report, or its host's "
	  "name", 10 },
	{ "class", KEY_CLASS, "CALL=CLASS", 0, "Count sleeps in system call CALL as waits of CLASS: idle, lock, disk, "
	  "network, pipe, memory, child, kernel or unknown; may be repeated", 10 },
	FXT_FROM_OPTION(FXT_FROM_KEY, 12),
	FXT_STRICT_OPTION(12),
	{ "spool-limit", KEY_SPOOL, "SIZE", 0, "Temporary files take at most SIZE, such as 2G; by default 256M "
	  "and 100 times the size of all inputs", 12 },
	{ 0 }
};

static const struct argp_option tasks_table[] = {
	{ "pid", 'p', "PID,...", 0, "Only threads of these processes", 10 },
	{ "tid", 't', "TID,...", 0, "Only these threads", 10 },
	{ "comm", KEY_COMM, "GLOB,...", 0, "Only threads of these names", 10 },
	{ "cgroup", KEY_CGROUP, "GLOB,...", 0, "Only threads in these control groups", 10 },
	{ 0 }
};

static const struct argp_option cpus_table[] = {
	{ "cpu", 'C', "CPU,...", 0, "Only these CPUs (0,2-3); sums of a thread are of all CPUs", 10 },
	{ 0 }
};

static const struct argp_option format_table[] = {
	{ "json", KEY_JSON, NULL, 0, "Print JSON", 11 },
	{ "csv", KEY_CSV, NULL, 0, "Print comma-separated values", 11 },
	{ 0 }
};

static const struct argp_option top_table[] = {
	{ "top", KEY_TOP, "N", 0, "Only the first N rows; 0: all.  The default is 20 on a terminal, and all "
	  "elsewhere", 11 },
	{ 0 }
};

static const struct argp_option sort_table[] = {
	{ "sort", KEY_SORT, "COLUMN", 0, "Sort by COLUMN, the greatest first", 11 },
	{ 0 }
};

static error_t input_parse(int key, char *arg, struct argp_state *state)
{
	struct analyze_options *o = state->input;

	switch (key) {
	case FXT_TIME_KEY:
		fxt_time_option(&o->window, arg, state);
		break;
	case FXT_FROM_KEY:
	case FXT_STRICT_KEY:
	case FXT_LENIENT_KEY:
		fxt_reading_option(&o->convert, key, arg, state);
		break;
	case KEY_MACHINE:
		o->machine = arg;
		break;
	case KEY_CLASS:
		if (!fxt_wait_overrule(arg))
			argp_error(state, "--class=%s: no CALL=CLASS, such as epoll_wait=network", arg);
		break;
	case KEY_SPOOL:
		if (fxt_quantity_bytes(arg, &o->convert.spool_bytes) || !o->convert.spool_bytes)
			argp_error(state, "--spool-limit=%s: no size (500M, 2G)", arg);
		break;
	case ARGP_KEY_ARGS:
		fxt_inputs_parse(&o->convert, state);
		break;
	case ARGP_KEY_NO_ARGS:
		if (!o->inputs_own)
			fxt_inputs_parse(&o->convert, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Parses the options of tasks_table and cpus_table. */
static error_t selection_parse(int key, char *arg, struct argp_state *state)
{
	struct analyze_options *o = state->input;
	struct fxt_selection *s = &o->selection;
	const char *option = "-p ";
	int err;

	switch (key) {
	case 'p':
		err = fxt_numbers_add(&s->pids, arg);
		break;
	case 't':
		option = "-t ";
		err = fxt_numbers_add(&s->tids, arg);
		break;
	case 'C':
		option = "-C ";
		err = fxt_numbers_add(&s->cpus, arg);
		break;
	case KEY_COMM:
		option = "--comm=";
		err = fxt_globs_add(&s->comms, arg);
		break;
	case KEY_CGROUP:
		option = "--cgroup=";
		err = fxt_globs_add(&s->cgroups, arg);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	if (err && option[1] == '-')
		argp_error(state, "%s%s: no list of names", option, arg);
	if (err && option[1] != 'C' && !isdigit((unsigned char)*arg) && *arg)
		argp_error(state, "%s%s: no list of numbers: --comm=%s chooses by name", option, arg, arg);
	if (err)
		argp_error(state, "%s%s: no list of numbers", option, arg);
	return 0;
}

static void top_parse(struct analyze_options *o, const char *arg, struct argp_state *state)
{
	__u64 rows;

	if (fxt_quantity_count(arg, 0, &rows))
		argp_error(state, "--top=%s: no number of rows", arg);
	o->top = rows;
	o->top_given = true;
}

/* Parses the options of format_table, top_table and sort_table. */
static error_t rows_parse(int key, char *arg, struct argp_state *state)
{
	struct analyze_options *o = state->input;

	switch (key) {
	case KEY_JSON:
	case KEY_CSV:
		if (o->format && strcmp(o->format, key == KEY_JSON ? "json" : "csv"))
			argp_error(state, "either --json or --csv");
		o->format = key == KEY_JSON ? "json" : "csv";
		break;
	case KEY_TOP:
		top_parse(o, arg, state);
		break;
	case KEY_SORT:
		o->sort = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp analyze_input_argp = { input_table, input_parse, NULL, NULL, NULL, NULL, NULL };
const struct argp analyze_tasks_argp = { tasks_table, selection_parse, NULL, NULL, NULL, NULL, NULL };
const struct argp analyze_cpus_argp = { cpus_table, selection_parse, NULL, NULL, NULL, NULL, NULL };
const struct argp analyze_format_argp = { format_table, rows_parse, NULL, NULL, NULL, NULL, NULL };
const struct argp analyze_top_argp = { top_table, rows_parse, NULL, NULL, NULL, NULL, NULL };
const struct argp analyze_sort_argp = { sort_table, rows_parse, NULL, NULL, NULL, NULL, NULL };

bool analyze_limited(const struct analyze_options *o)
{
	return !o->top_given && !o->format && isatty(STDOUT_FILENO);
}

size_t analyze_rows(const struct analyze_options *o)
{
	return analyze_limited(o) ? TERMINAL_ROWS : o->top;
}

void analyze_children_init(struct argp_state *state, const struct argp_child *children,
			   struct analyze_options *options)
{
	unsigned int i;

	for (i = 0; children[i].argp; i++)
		state->child_inputs[i] = options;
}

enum fxt_report_by analyze_by(const char *arg, enum fxt_report_by limit, const struct argp_state *state)
{
	enum fxt_report_by by = fxt_report_by_named(arg);
	char names[FXT_NEAR_BYTES] = "", hint[FXT_NEAR_BYTES];
	unsigned int i;

	if (by < limit)
		return by;
	for (i = 0; i < limit; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s",
			 !i ? "" : i + 1 < limit ? ", " : " or ", fxt_report_by_names[i]);
	argp_error(state, "--by=%s: %s%s", arg, names, fxt_near_hint(hint, arg, fxt_report_by_names));
	return by;
}

void analyze_column_unknown(const char *sort, const char *const *names, const struct argp_state *state)
{
	char all[512] = "", hint[FXT_NEAR_BYTES];
	unsigned int i;

	for (i = 0; names[i]; i++)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "", names[i]);
	argp_error(state, "--sort=%s: no column of that name: there are %s%s", sort, all, fxt_near_hint(hint, sort, names));
}

enum fxt_report_column analyze_sort(const struct analyze_options *o, const struct argp_state *state)
{
	enum fxt_report_column column = o->sort ? fxt_report_column_named(o->sort) : FXT_COLUMNS;

	if (o->sort && column == FXT_COLUMNS)
		column = fxt_report_column_headed(o->sort);
	if (o->sort && column == FXT_COLUMNS)
		analyze_column_unknown(o->sort, fxt_report_column_names, state);
	return column;
}

__u64 analyze_over(const char *arg, const struct argp_state *state)
{
	__u64 ns;

	if (fxt_quantity_duration(arg, &ns) || !ns)
		argp_error(state, "--over=%s: no duration (1ms)", arg);
	return ns;
}

void analyze_over_check(const struct analyze_options *o, __u64 over, const struct argp_state *state)
{
	if (over && o->format && !strcmp(o->format, "csv"))
		argp_error(state, "--over: waits have no CSV: text or --json");
}

/* Returns whether scheduling shows which threads and CPUs exist. */
static bool is_scheduled(const struct analysis *a)
{
	__u32 i;

	for (i = 0; i < a->machines.count; i++)
		if (a->machines.of[i].m.seen_count)
			return true;
	return false;
}

int analyze_chosen(const struct analysis *a, const struct analyze_options *o, bool shown)
{
	char text[FXT_UNMATCHED_BYTES];

	if (!is_scheduled(a))
		return FXT_DONE;
	if (!shown && fxt_unmatched_threads(text, &o->selection, &a->origins))
		return fxt_report("%s: no such thread in that time: %s", a->file, text);
	if (fxt_unmatched_cpus(text, &o->selection, &a->origins))
		return fxt_report("%s: no such CPU in that time: %s", a->file, text);
	return FXT_DONE;
}
