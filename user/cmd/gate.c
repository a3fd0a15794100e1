// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec gate: runs a command again and again, and judges whether it became slower by itself. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "cmd/command.h"
#include "cmd/gate.h"
#include "files/create.h"
#include "show/gate/gate.h"
#include "show/print.h"
#include "source/clock.h"
#include "util/quantity.h"
#include "util/report.h"
#include "util/shell.h"
#include "util/time.h"

/* Exit status: the machine disturbed the runs, so that they have to be repeated. */
#define GATE_INVALID	4

/* Defaults: analysis.rst, "Gate", has the measurements. */
#define SLOWER		0.02
#define FOREIGN		0.90
#define SECONDS		25
#define RUNS		1000u
#define RUNS_MAX	4000u

/* File that GitLab's jobs have their reports in by convention. */
#define GITLAB_NAME	"gl-code-quality-report.json"

struct gate_options {
	char **command;
	const char *against, *baseline, *results, *save, *junit, *annotations;
	struct fxt_gate_limits limits;
	__u64 ns, runs;
	bool json;
};

enum {
	KEY_AGAINST = 0x2000, KEY_BASELINE, KEY_RESULTS, KEY_SAVE, KEY_LIMIT, KEY_FOREIGN, KEY_RUNS, KEY_SECONDS, KEY_JSON,
	KEY_JUNIT, KEY_ANNOTATIONS,
};

static const struct argp_option table[] = {
	{ "against", KEY_AGAINST, "COMMAND", 0, "Run this command in turn with the other one, as the baseline: it is split "
	  "into words as a shell does", 1 },
	{ "baseline", KEY_BASELINE, "FILE|DIR", 0, "Judge by results that --save wrote earlier; DIR: by all *.json in it",
	  1 },
	{ "results", KEY_RESULTS, "FILE", 0, "Judge results that --save wrote, in place of running a command", 1 },
	{ "save", KEY_SAVE, "FILE", 0, "Write the results to FILE, as JSON", 1 },
	{ "limit", KEY_LIMIT, "PERCENT", 0, "Fail if the command is surely slower by more than this, 2 by default", 2 },
	{ "foreign", KEY_FOREIGN, "PERCENT", 0, "Leave out runs with a greater foreign part, 90 by default", 2 },
	{ "runs", KEY_RUNS, "N", 0, "Run each command at most N times, 1000 by default", 2 },
	{ "seconds", KEY_SECONDS, "TIME", 0, "Run the commands up to TIME after the start, 25 by default", 2 },
	{ "json", KEY_JSON, NULL, 0, "Print JSON", 3 },
	{ "junit", KEY_JUNIT, "FILE", 0, "Write the verdict to FILE, as JUnit XML", 3 },
	{ "annotations", KEY_ANNOTATIONS, "github|gitlab", 0, "Print a workflow command of GitHub, or write a code quality "
	  "report for GitLab to " GITLAB_NAME, 3 },
	{ 0 }
};

static double percent_of(const char *option, const char *arg, double most, const struct argp_state *state)
{
	char *end;
	double percent = strtod(arg, &end);

	if (end == arg || (*end && strcmp(end, "%")) || !(percent > 0 && percent <= most))
		argp_error(state, "--%s=%s: no number of percent, above 0 and up to %g", option, arg, most);
	return percent / 100;
}

static void options_check(const struct gate_options *o, const struct argp_state *state)
{
	if (o->against && o->baseline)
		argp_error(state, "--against, --baseline: one of them");
	if (o->results && (o->command || o->against))
		argp_error(state, "--results runs no command");
	if (!o->results && !o->command)
		argp_error(state, "no COMMAND to run, and no --results");
	if (o->annotations && strcmp(o->annotations, "github") && strcmp(o->annotations, "gitlab"))
		argp_error(state, "--annotations=%s: it is github or gitlab", o->annotations);
	if (o->annotations && o->json && !strcmp(o->annotations, "github"))
		argp_error(state, "--json, --annotations=github: one of them, as both are standard output");
}

static void number_parse(int key, const char *arg, struct gate_options *o, const struct argp_state *state)
{
	if (key == KEY_LIMIT)
		o->limits.slower = percent_of("limit", arg, 1000, state);
	else if (key == KEY_FOREIGN)
		o->limits.foreign = percent_of("foreign", arg, 100, state);
	else if (key == KEY_RUNS && (fxt_quantity_count(arg, RUNS_MAX + 1, &o->runs) || !o->runs))
		argp_error(state, "--runs=%s: no number from 1 to %u", arg, RUNS_MAX);
	else if (key == KEY_SECONDS && (fxt_quantity_duration(arg, &o->ns) || !o->ns))
		argp_error(state, "--seconds=%s: not a duration: 5, 1.5s, 2m", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct gate_options *o = state->input;

	switch (key) {
	case KEY_AGAINST:
		o->against = arg;
		break;
	case KEY_BASELINE:
		o->baseline = arg;
		break;
	case KEY_RESULTS:
		o->results = arg;
		break;
	case KEY_SAVE:
		o->save = arg;
		break;
	case KEY_JSON:
		o->json = true;
		break;
	case KEY_JUNIT:
		o->junit = arg;
		break;
	case KEY_ANNOTATIONS:
		o->annotations = arg;
		break;
	case ARGP_KEY_ARGS:
		o->command = state->argv + state->next;
		break;
	case ARGP_KEY_SUCCESS:
		options_check(o, state);
		break;
	case KEY_LIMIT: case KEY_FOREIGN: case KEY_RUNS: case KEY_SECONDS:
		number_parse(key, arg, o, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_gate_argp = {
	table, parse, "[-- COMMAND...]",
	"Runs COMMAND again and again while it records, and judges whether its own part became slower: its CPU time, "
	"its instructions, and its time without the foreign part (waits for a CPU that others used, throttling, "
	"interrupts, stolen time).  For continuous integration."
	"\v"
	"Exit status: 0 if it isn't slower, 3 if it is, 4 if the machine disturbed the runs, so that they have to be "
	"repeated; 1 if a command fails or nothing can be recorded.\n",
	NULL, NULL, NULL,
};

/* State of a gate. */
struct gate {
	const struct gate_options *o;
	struct gate_bench bench;
	struct fxt_gate_runs *sessions;	/* sessions of the baseline; NULL: none, or in turn */
	size_t session_count;
	wordexp_t words;		/* words of the command in turn */
	struct fxt_buffer text;		/* the command as typed */
	struct fxt_gate_verdict verdict;
};

/* Judges all runs so far.  Returns 0 or -ENOMEM. */
static int judge(struct gate *g, unsigned int look)
{
	struct fxt_gate_runs *runs = g->bench.runs;
	bool paired = runs[GATE_AGAINST].count;

	return fxt_gate_judge(&g->verdict, paired ? &runs[GATE_AGAINST] : g->sessions, paired ? 1 : g->session_count,
			      paired, &runs[GATE_COMMAND], &g->o->limits, look);
}

/* Runs the commands until the verdict is sure, or a limit is reached.  0, -errno with the error set, or FXT_FAILED. */
static int measure(struct gate *g, struct fxt_error *error)
{
	const struct gate_options *o = g->o;
	unsigned int i;
	__u64 begin = fxt_clock_mono();
	bool end = false;
	int err = gate_bench_open(&g->bench, error);

	for (i = 0; i < FXT_GATE_LOOKS && !err && !end; i++) {
		__u64 until = begin + o->ns * fxt_gate_looks[i] / FXT_GATE_WHOLE;
		size_t runs = (o->runs * fxt_gate_looks[i] + FXT_GATE_WHOLE - 1) / FXT_GATE_WHOLE;

		if (i < FXT_GATE_LOOKS - 1 && fxt_clock_mono() >= until)
			continue;
		err = gate_bench_round(&g->bench, until, runs, error);
		if (!err && judge(g, i))
			err = fxt_error_set(error, ENOMEM, "no memory");
		end = g->verdict.answer == FXT_GATE_SAME || g->verdict.answer == FXT_GATE_SLOWER;
	}
	return err;
}

/* Reads stored results, and judges them at one look. */
static int reread(struct gate *g, struct fxt_error *error)
{
	struct fxt_gate_runs *runs = g->bench.runs;
	int err = gate_read(g->o->results, &runs[GATE_COMMAND], g->o->baseline ? NULL : &runs[GATE_AGAINST], error);

	if (!err && runs[GATE_AGAINST].count && runs[GATE_AGAINST].count != runs[GATE_COMMAND].count)
		err = fxt_error_set(error, EINVAL, "%s: the runs in turn are no pairs", g->o->results);
	if (!err && judge(g, FXT_GATE_LOOKS - 1))
		err = fxt_error_set(error, ENOMEM, "no memory");
	return err;
}

/* Writes a file by a function that may fail.  FXT_DONE, or reported. */
static int file_write(const char *path, const struct fxt_gate_view *view,
		      int (*write)(FILE *, const struct fxt_gate_view *))
{
	int fd = fxt_create(path), err;
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out)
		return fxt_report("%s: %s", path, fxt_create_error(fd < 0 ? fd : -ENOMEM));
	err = write(out, view);
	if (ferror(out) || fclose(out))
		err = -EIO;
	return err ? fxt_report("%s: %s", path, strerror(-err)) : FXT_DONE;
}

static int junit_write(FILE *out, const struct fxt_gate_view *view)
{
	fxt_gate_junit(out, view);
	return 0;
}

static int results_show(const struct gate *g)
{
	const struct gate_options *o = g->o;
	const struct fxt_gate_runs *runs = g->bench.runs;
	struct fxt_gate_view view = {
		.verdict = &g->verdict, .limits = &o->limits, .command = g->text.bytes + 1, .runs = &runs[GATE_COMMAND],
		.program = o->command ? o->command[0] : o->results,
		.against = runs[GATE_AGAINST].count ? &runs[GATE_AGAINST] : NULL,
		.sessions = g->verdict.paired ? 1 : g->session_count,
	};
	struct fxt_screen screen = { .out = stdout };
	bool github = o->annotations && !strcmp(o->annotations, "github");
	int status = FXT_DONE;

	if (o->json && fxt_gate_json(stdout, &view))
		status = fxt_report("no memory");
	if (!o->json)
		fxt_gate_text(&screen, &view);
	if (github)
		fxt_gate_github(stdout, &view);
	status |= o->annotations && !github ? file_write(GITLAB_NAME, &view, fxt_gate_gitlab) : FXT_DONE;
	status |= o->save ? file_write(o->save, &view, fxt_gate_json) : FXT_DONE;
	status |= o->junit ? file_write(o->junit, &view, junit_write) : FXT_DONE;
	return fxt_print_finish(stdout, status);
}

/* Prepares the baseline and the commands. */
static int prepare(struct gate *g, struct fxt_error *error)
{
	char *const *word = g->o->command;

	for (; word && *word; word++)
		fxt_shell_word(&g->text, *word);
	if (!word)
		fxt_shell_word(&g->text, g->o->results);
	fxt_buffer_put(&g->text, "", 1);
	if (g->text.failed)
		return fxt_error_set(error, ENOMEM, "no memory");
	g->bench.commands[GATE_COMMAND] = g->o->command;
	if (g->o->against) {
		if (wordexp(g->o->against, &g->words, WRDE_NOCMD) || !g->words.we_wordc)
			return fxt_error_set(error, EINVAL, "--against=%s: no words of a command", g->o->against);
		g->bench.commands[GATE_AGAINST] = g->words.we_wordv;
	}
	return g->o->baseline ? gate_read_sessions(g->o->baseline, &g->sessions, &g->session_count, error) : 0;
}

static void gate_uninit(struct gate *g)
{
	while (g->session_count)
		free(g->sessions[--g->session_count].runs);
	free(g->sessions);
	gate_bench_close(&g->bench);
	if (g->bench.commands[GATE_AGAINST])
		wordfree(&g->words);
	fxt_buffer_uninit(&g->text);
}

int cmd_gate(int argc, char **argv)
{
	struct gate_options o = {
		.limits = { SLOWER, FOREIGN }, .ns = SECONDS * SECOND_NS, .runs = RUNS,
	};
	struct gate g = { .o = &o };
	struct fxt_error error;
	int status, err = argp_parse(&cmd_gate_argp, argc, argv, ARGP_IN_ORDER, NULL, &o);

	if (err)
		return fxt_report("%s", strerror(err));
	err = prepare(&g, &error);
	if (!err)
		err = o.results ? reread(&g, &error) : measure(&g, &error);
	if (err == -EINTR)
		status = fxt_report("interrupted: no verdict");
	else if (err)
		status = err < 0 ? fxt_report("%s", error.text) : FXT_FAILED;
	else
		status = results_show(&g);
	if (!status && g.verdict.answer == FXT_GATE_SLOWER)
		status = FXT_UNMET;
	else if (!status && g.verdict.answer == FXT_GATE_INVALID)
		status = GATE_INVALID;
	gate_uninit(&g);
	return status;
}
