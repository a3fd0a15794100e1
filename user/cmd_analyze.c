// SPDX-License-Identifier: GPL-2.0-only
/* What the commands that analyze traces have in common. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_analyze.h"
#include "strict_option.h"
#include "time_option.h"
#include "util/quantity.h"
#include "util/report.h"

/* Of the records that have to be sorted: an analysis needs memory of its own. */
#define SORTER_BYTES	((size_t)12 << 20)

enum { KEY_COMM = 0x1100, KEY_CGROUP, KEY_JSON, KEY_CSV, KEY_TOP, KEY_SORT, KEY_SPOOL, KEY_FROM };

static const struct argp_option table[] = {
	FXT_TIME_OPTION("Only"),
	{ "pid", 'p', "PID,...", 0, "Only threads of these processes", 10 },
	{ "tid", 't', "TID,...", 0, "Only these threads", 10 },
	{ "comm", KEY_COMM, "GLOB,...", 0, "Only threads of these names", 10 },
	{ "cgroup", KEY_CGROUP, "GLOB,...", 0, "Only threads in these control groups", 10 },
	{ "cpu", 'C', "CPU,...", 0, "Only these CPUs (0,2-3): a thread's sums are of all", 10 },
	{ "json", KEY_JSON, NULL, 0, "Print JSON", 11 },
	{ "csv", KEY_CSV, NULL, 0, "Print comma-separated values", 11 },
	{ "top", KEY_TOP, "N", 0, "Only the first N rows", 11 },
	{ "sort", KEY_SORT, "COLUMN", 0, "Sort by COLUMN, the greatest first", 11 },
	{ "from", KEY_FROM, "FORMAT", 0, "All inputs are of FORMAT, whatever they look like", 12 },
	FXT_STRICT_OPTION(12),
	{ "spool-limit", KEY_SPOOL, "SIZE", 0, "Temporary files take at most SIZE (2G)", 12 },
	{ 0 }
};

static void top_parse(struct analyze_options *o, const char *arg, struct argp_state *state)
{
	char *end;

	errno = 0;
	o->top = strtoul(arg, &end, 10);
	if (errno || *end || end == arg || *arg == '-' || !o->top)
		argp_error(state, "--top=%s: no number of rows", arg);
}

static void select_parse(struct analyze_options *o, int key, const char *arg, struct argp_state *state)
{
	struct fxt_selection *s = &o->selection;
	int err = key == 'p' ? fxt_numbers_add(&s->pids, arg) : key == 't' ? fxt_numbers_add(&s->tids, arg) :
		  key == 'C' ? fxt_numbers_add(&s->cpus, arg) :
		  fxt_globs_add(key == KEY_COMM ? &s->comms : &s->cgroups, arg);

	if (err)
		argp_error(state, "%s: no list of %s", arg, key == KEY_COMM || key == KEY_CGROUP ?
			   "names" : "numbers");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct analyze_options *o = state->input;

	switch (key) {
	case FXT_TIME_KEY:
		fxt_time_option(&o->window, arg, state);
		break;
	case 'p':
	case 't':
	case 'C':
	case KEY_COMM:
	case KEY_CGROUP:
		select_parse(o, key, arg, state);
		break;
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
	case KEY_FROM:
		o->convert.from = fxt_format_named(arg);
		if (!o->convert.from)
			argp_error(state, "no format \"%s\"", arg);
		if (!o->convert.from->ops->read)
			argp_error(state, "%s can be written, not read", arg);
		break;
	case FXT_STRICT_KEY:
	case FXT_LENIENT_KEY:
		o->convert.strict = key == FXT_STRICT_KEY;
		break;
	case KEY_SPOOL:
		if (fxt_quantity_bytes(arg, &o->convert.spool_bytes) || !o->convert.spool_bytes)
			argp_error(state, "--spool-limit=%s: no size (500M, 2G)", arg);
		break;
	case ARGP_KEY_ARGS:
		o->convert.inputs = state->argv + state->next;
		o->convert.input_count = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS:
		if (!o->live)
			argp_error(state, "no FILE");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp analyze_argp = { table, parse, NULL, NULL, NULL, NULL, NULL };

enum fxt_report_by analyze_by(const char *arg, enum fxt_report_by limit, const struct argp_state *state)
{
	enum fxt_report_by by = fxt_report_by_named(arg);

	if (by >= limit)
		argp_error(state, "--by=%s: thread, process, comm, cgroup%s container%s", arg,
			   limit == FXT_BYS ? "," : " or", limit == FXT_BYS ? " or cpu" : "");
	return by;
}

enum fxt_report_column analyze_sort(const struct analyze_options *o, const struct argp_state *state)
{
	enum fxt_report_column column = o->sort ? fxt_report_column_named(o->sort) : FXT_COLUMNS;

	if (o->sort && column == FXT_COLUMNS)
		argp_error(state, "--sort=%s: no column of that name (--help lists them)", o->sort);
	return column;
}

int analyze_failed(int err)
{
	return err ? fxt_report("%s", strerror(-err)) : FXT_DONE;
}

/* All inputs in one word, as a report names them. */
static char *names_join(const struct fxt_convert_options *o)
{
	size_t bytes = 1;
	char *names;
	int i;

	for (i = 0; i < o->input_count; i++)
		bytes += strlen(o->inputs[i]) + 1;
	names = malloc(bytes);
	if (!names)
		return NULL;
	*names = '\0';
	for (i = 0; i < o->input_count; i++) {
		if (i)
			strcat(names, " ");
		strcat(names, o->inputs[i]);
	}
	return names;
}

/* Which machines the inputs are of. */
static int machines_open(struct analysis *a)
{
	struct fxt_sorter *sorter = &a->conversion.sorter;
	__u32 count = sorter->input_count, i;
	struct fxt_machines_input *inputs = calloc(count, sizeof(*inputs));
	const struct fxt_origin **origins;
	int err;

	if (!inputs)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		inputs[i].facts = sorter->inputs[i].facts;
		inputs[i].span = fxt_sorter_input_span(sorter, i);
	}
	err = fxt_machines_init(&a->machines, &sorter->spill, inputs, count);
	free(inputs);
	sorter->twins.machines = a->machines.by_input;
	origins = err ? NULL : calloc(a->machines.count, sizeof(*origins));
	if (!origins)
		return -ENOMEM;
	for (i = 0; i < a->machines.count; i++)
		origins[i] = &a->machines.of[i].origin;
	a->origins = (struct fxt_origins){ .file = a->file, .of = origins, .count = a->machines.count };
	return 0;
}

int analyze_open(struct analysis *a, const struct analyze_options *options)
{
	struct fxt_convert_options convert = options->convert;
	int err;

	convert.memory = SORTER_BYTES;
	convert.apart = true;
	convert.progress = isatty(STDERR_FILENO);
	err = fxt_convert_begin(&a->conversion, &convert, &a->progress);
	fxt_convert_progress_end(&a->progress);
	if (!options->again)
		fxt_notes_report(&a->conversion.skipped, "passed over");
	if (!err) {
		a->file = names_join(&convert);
		err = a->file ? machines_open(a) : -ENOMEM;
	}
	if (err)
		return a->conversion.error.text[0] ? fxt_report("%s", a->conversion.error.text) :
		       analyze_failed(err);
	if (!fxt_machines_window(&a->machines, &options->window))
		return fxt_report("%s: nothing of it is in that time", a->file);
	return FXT_DONE;
}

int analyze_open_one(struct analysis *a, const struct analyze_options *options)
{
	int status = analyze_open(a, options);

	if (!status && a->machines.count > 1)
		status = fxt_report("%s: recordings of different machines: give those of one", a->file);
	return status;
}

int analyze_error(const struct analysis *a, int err)
{
	if (a->conversion.sorter.spool.over)
		return fxt_report("more temporary files are needed: --spool-limit=SIZE allows more");
	/* Their thread ids and CPUs would be taken for one another's. */
	if (!err)
		return fxt_report("%s: a file has recordings of different machines", a->file);
	return fxt_report("%s: %s", a->file, strerror(-err));
}

int analyze_next(struct analysis *a, struct fxt_record *r, struct fxt_machines_one **one)
{
	int got = fxt_sorter_next(&a->conversion.sorter, r), err;

	if (got <= 0)
		return got;
	*one = fxt_machines_of(&a->machines, r);
	err = (*one)->hole_count ? fxt_machines_lose(*one, r) : 0;
	return err ? err : 1;
}

static int machines_end(struct analysis *a)
{
	__u32 i;
	int err = 0;

	for (i = 0; i < a->machines.count && !err; i++)
		err = fxt_machine_end(&a->machines.of[i].m);
	return err;
}

int analyze_run(struct analysis *a)
{
	return analyze_run_with(a, NULL, NULL);
}

int analyze_run_with(struct analysis *a, const struct analyze_ops *ops, void *arg)
{
	__u64 all = fxt_sorter_count(&a->conversion.sorter), count = 0;
	struct fxt_machines_one *one;
	static struct fxt_record r;
	int err;

	fxt_convert_progress_write(&a->progress);
	while ((err = analyze_next(a, &r, &one)) > 0) {
		err = ops ? ops->put(arg, &r) : fxt_machine_put(&one->m, &r);
		if (err)
			break;
		fxt_convert_progress_wrote(&a->progress, a->file, ++count, all);
	}
	if (!err)
		err = ops ? ops->end(arg) : machines_end(a);
	fxt_convert_progress_end(&a->progress);
	return err < 0 || fxt_machines_mixed(&a->machines) ? analyze_error(a, err < 0 ? err : 0) : FXT_DONE;
}

void analyze_end(struct analysis *a)
{
	fxt_machines_uninit(&a->machines);
	free((void *)a->origins.of);
	fxt_convert_end(&a->conversion, &a->progress);
	free(a->file);
}

void analyze_close(struct analysis *a, struct analyze_options *options)
{
	analyze_end(a);
	fxt_selection_uninit(&options->selection);
}
