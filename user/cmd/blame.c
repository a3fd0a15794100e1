// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec blame: finds the causes of each thread's waits for a CPU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/analyze.h"
#include "cmd/blame.h"
#include "cmd/command.h"
#include "show/blame.h"
#include "show/print.h"
#include "util/report.h"

enum { KEY_BY = 0x2000, KEY_OVER, KEY_SLEEP, KEY_WAITS };

static const struct argp_option table[] = {
	{ "by", KEY_BY, "thread|process|comm|cgroup|container", 0, "The rows of victims and culprits; thread is "
	  "the default", 1 },
	{ "waits", KEY_WAITS, "all|cpu", 0, "The waits: all that the recording has reasons of, or only those for a CPU", 1 },
	{ "over", KEY_OVER, "TIME", 0, "List each wait longer than TIME, such as 1ms, in place of the longest ones", 1 },
	{ "sleep", KEY_SLEEP, NULL, 0, "Sum sleeps in place of waits for a CPU: by state, kernel function and "
	  "waker", 1 },
	{ 0 }
};

static const struct argp_child children[] = {
	ANALYZE_CHILD(input), ANALYZE_CHILD(tasks), ANALYZE_CHILD(cpus),
	ANALYZE_CHILD(format), ANALYZE_CHILD(top), ANALYZE_CHILD(sort), { 0 }
};

/* Returns whether a text is a column's name, or its head in the table, with or without the unit. */
static bool is_column(const char *text, const char *name)
{
	size_t length = strcspn(text, " ");

	return (strlen(name) == length && !strncasecmp(text, name, length)) ||
	       (!strcmp(name, "longest") && length == 3 && !strncasecmp(text, "max", length));
}

/* Returns the number of a column by its name; the first column for NULL. */
static unsigned int column_of(const char *name, const char *const *names, const struct argp_state *state)
{
	unsigned int i;

	for (i = 0; name && names[i] && !is_column(name, names[i]); i++)
		;
	if (!names[i])
		analyze_column_unknown(name, names, state);
	return i;
}

static void options_check(struct blame_options *o, const struct argp_state *state)
{
	if (o->sleep)
		o->sleep_sort = column_of(o->common.sort, fxt_sleep_column_names, state);
	else
		o->sort = column_of(o->common.sort, fxt_matrix_column_names, state);
	analyze_over_check(&o->common, o->over, state);
	if (o->over && o->sleep)
		argp_error(state, "--over lists waits for a CPU, --sleep sums sleeps: one of them");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct blame_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		analyze_children_init(state, children, &o->common);
		break;
	case KEY_BY:
		o->by = analyze_by(arg, FXT_BY_CPU, state);
		o->by_given = true;
		break;
	case KEY_OVER:
		o->over = analyze_over(arg, state);
		break;
	case KEY_WAITS:
		o->cpu = !strcmp(arg, "cpu");
		if (!o->cpu && strcmp(arg, "all"))
			argp_error(state, "--waits=%s: it is all or cpu", arg);
		break;
	case KEY_SLEEP:
		o->sleep = true;
		break;
	case ARGP_KEY_SUCCESS:
		options_check(o, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_blame_argp = {
	table, parse, "[FILE...]",
	"Finds the culprits of each thread's waits: for a CPU, after a wakeup or a preemption, the threads that ran "
	"on the CPU that it waited for, interrupts and softirqs (if the recording has them), an idle CPU, or "
	"unknown; for a lock, what its holder did meanwhile; else the object that it waited for, if the recording "
	"has reasons.  Waits for work are left out.  -p, -t, --comm, --cgroup "
	"choose the victims."
	"\v"
	"Columns of --sort: waited longest waits own foreign; with --sleep: asleep longest times.\n\n"
	"FILE is of any format that \"fxtrec convert\" reads; several files are parts of one trace, or "
	"of several machines.\n",
	children, NULL, NULL,
};

static int view_print(const struct blame_options *o, const struct analysis *a, const struct fxt_blame_view *view)
{
	struct fxt_screen screen;
	int err = 0;

	if (!o->common.format) {
		fxt_screen_init(&screen);
		fxt_blame_text(&screen, view);
	} else if (!strcmp(o->common.format, "csv")) {
		fxt_blame_csv(stdout, view);
	} else {
		err = fxt_blame_json(stdout, view);
	}
	return fxt_print_finish(stdout, analyze_failed(a, err));
}

/* Observers of each machine. */
struct blame_observers {
	struct fxt_blame *blames;
	struct fxt_waits *waits;
	struct fxt_wait (*worst)[FXT_WAITS_WORST];
	struct fxt_suspects suspects;
	__u32 count;
};

/* Returns the grouping of rows: on a terminal, threads are summed up by name where many threads have few names. */
static enum fxt_report_by by_of(const struct blame_options *o, const struct blame_observers *of)
{
	bool chosen = fxt_selection_tasks_any(&o->common.selection);

	return analyze_limited(&o->common) && !o->by_given && !chosen && fxt_matrix_crowd(of->blames, of->count) ?
	       FXT_BY_COMM : o->by;
}

static int blame_print(const struct blame_options *o, const struct analysis *a, const struct blame_observers *of)
{
	struct fxt_matrix matrix;
	struct fxt_blame_view view = {
		.origins = &a->origins,
		.matrix = &matrix,
		.waits = of->waits,
		.top = analyze_rows(&o->common),
		.limited = analyze_limited(&o->common),
		.sleeps = !o->cpu && fxt_origins_reasons(&a->origins),
		.chosen = fxt_selection_tasks_any(&o->common.selection),
	};
	int status = analyze_failed(a, fxt_matrix_init(&matrix, of->blames, of->count, by_of(o, of), &o->common.selection,
						       o->sort));
	__u32 i;

	for (i = 0; i < of->count && !status; i++)
		status = analyze_failed(a, fxt_waits_settle(&of->waits[i]));
	if (!status)
		status = view_print(o, a, &view);
	if (!status)
		status = analyze_chosen(a, &o->common, matrix.wait);
	fxt_matrix_uninit(&matrix);
	return status;
}

static int observers_open(struct blame_observers *of, struct analysis *a, const struct blame_options *o)
{
	__u32 count = a->machines.count, i;

	*of = (struct blame_observers){
		.blames = calloc(count, sizeof(*of->blames)),
		.waits = calloc(count, sizeof(*of->waits)),
		.worst = calloc(count, sizeof(*of->worst)),
	};
	if (!of->blames || !of->waits || !of->worst || fxt_suspects_init(&of->suspects, &a->conversion.spill))
		return analyze_failed(a, -ENOMEM);
	of->count = count;
	for (i = 0; i < count; i++) {
		fxt_blame_init(&of->blames[i], &a->machines.of[i].m, &of->suspects,
			       fxt_selection_tids(&o->common.selection));
		of->blames[i].sleeps = !o->cpu;
		if (o->over)
			fxt_waits_init(&of->waits[i], &of->blames[i], &o->common.selection, o->over);
		else
			fxt_waits_worst(&of->waits[i], &of->blames[i], &o->common.selection, of->worst[i],
					FXT_WAITS_WORST);
	}
	return FXT_DONE;
}

static void observers_close(struct blame_observers *of, struct analysis *a)
{
	__u32 i;

	for (i = 0; i < of->count; i++)
		fxt_blame_uninit(&of->blames[i]);
	fxt_suspects_uninit(&of->suspects, &a->conversion.spill);
	free(of->blames);
	free(of->waits);
	free(of->worst);
}

static int blame_run(void *options, struct analysis *a)
{
	const struct blame_options *o = options;
	struct blame_observers of;
	int status;

	if (o->sleep)
		return blame_sleep(o, a);
	status = observers_open(&of, a, o);
	if (!status)
		status = analyze_run(a);
	if (!status)
		status = blame_print(o, a, &of);
	observers_close(&of, a);
	return status;
}

int cmd_blame(int argc, char **argv)
{
	struct blame_options o = { .common.sched_only = true };

	return analyze_main(argc, argv, &cmd_blame_argp, &o.common, blame_run);
}
