// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec check: validates files against the specification of the format. */
#include <argp.h>
#include <errno.h>

#include "cmd/command.h"
#include "cmd/trace_options.h"
#include "codec/check/check.h"
#include "show/input.h"
#include "show/print.h"
#include "util/quantity.h"
#include "util/report.h"

#define LIMIT	20u

struct check_options {
	char **paths;
	char *standard;		/* default path, where no FILE is given */
	int count;
	bool chain;
	__u64 limit;
};

/* The printer of a file's findings. */
struct printer {
	const char *name;
	__u64 limit;
	__u64 findings;
};

static const struct argp_option table[] = {
	{ "chain", 'c', NULL, 0,
	  "Also check the guarantees of fxtrec's own recordings, see below", 0 },
	{ "limit", 'n', "N", 0, "Print up to N findings a file, 20 by default; 0: all", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct check_options *o = state->input;

	switch (key) {
	case 'c':
		o->chain = true;
		break;
	case 'n':
		if (fxt_quantity_count(arg, 0, &o->limit))
			argp_error(state, "not a number: \"%s\"", arg);
		break;
	case ARGP_KEY_ARGS:
		o->paths = state->argv + state->next;
		o->count = state->argc - state->next;
		break;
	case ARGP_KEY_NO_ARGS:
		fxt_trace_default(state, &o->standard);
		o->paths = &o->standard;
		o->count = 1;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_check_argp = {
	table, parse, "[FILE...]",
	"Validates each FILE, an FXT file of any origin, strictly by the specification; \"-\" is "
	"standard input."
	"\v"
	"Prints a line for each finding: the file, the offset of the first wrong byte, "
	"the finding's kind and a sentence.  Kinds are size, type, value, reference, reserved, "
	"padding, text, cut and chain; a note alone leaves a file valid.  A file that doesn't start with the magic "
	"number gets a note: according to the specification it generally should.  The last line is the verdict.\n"
	"\n"
	"With --chain, in each stream of a CPU (a provider \"fxtrec cpu N\") the scheduling "
	"records must not go back in time, and each context switch must switch out the thread that the switch "
	"before switched in, unless a loss is reported in between; a thread that "
	"called exec may have its process's id by then.  Kernels that don't trace some threads "
	"break such chains.\n"
	"\n"
	"Exits with 0 if all files are valid, else with 1.",
	NULL, NULL, NULL,
};

static void finding_print(void *context, const struct fxt_finding *finding)
{
	struct printer *printer = context;

	if (printer->findings++ >= printer->limit && printer->limit)
		return;
	fxt_print_name(stdout, printer->name);
	printf(": 0x%08llx: %s: %s\n", finding->offset, fxt_finding_name(finding->kind), finding->text);
}

/* Prints the last line about a file. */
static int verdict_print(const struct printer *printer, const struct fxt_check *check,
			 __u64 bytes)
{
	__u64 errors = fxt_check_errors(check), notes = check->findings[FXT_FINDING_NOTE];

	if (printer->limit && printer->findings > printer->limit) {
		fxt_print_name(stdout, printer->name);
		printf(": and %llu more\n", printer->findings - printer->limit);
	}
	fxt_print_name(stdout, printer->name);
	printf(": %s: %llu error%s, %llu note%s, %llu record%s, %llu bytes\n",
	       errors ? "not valid" : "valid", errors, errors == 1 ? "" : "s", notes,
	       notes == 1 ? "" : "s", check->records, check->records == 1 ? "" : "s", bytes);
	return errors ? FXT_FAILED : FXT_DONE;
}

static int file_check(const struct check_options *o, const char *path)
{
	struct printer printer = { .limit = o->limit };
	struct fxt_check check = {
		.found = finding_print,
		.context = &printer,
		.chain = o->chain,
	};
	struct fxt_input input;
	int err, status;

	err = fxt_input_open(&input, path);
	if (err)
		return fxt_input_report(&input, err);
	printer.name = input.name;
	while ((err = fxt_input_next(&input)) > 0) {
		err = fxt_check_record(&check, &input.record);
		if (err)
			break;
	}
	fxt_check_end(&check, input.reader.offset, err);
	if (err && err != -ENODATA && err != -EBADMSG)
		status = fxt_input_report(&input, err);
	else
		status = verdict_print(&printer, &check, input.reader.offset);
	fxt_check_uninit(&check);
	fxt_input_close(&input);
	return status;
}

int cmd_check(int argc, char **argv)
{
	struct check_options o = { .limit = LIMIT };
	int err, i, status = FXT_DONE;

	err = argp_parse(&cmd_check_argp, argc, argv, 0, NULL, &o);
	if (err)
		return fxt_report("%s", strerror(err));
	for (i = 0; i < o.count; i++)
		if (file_check(&o, o.paths[i]))
			status = FXT_FAILED;
	return fxt_print_finish(stdout, status);
}
