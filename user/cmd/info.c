// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec info: summarizes a file. */
#include <argp.h>
#include <errno.h>

#include "cmd/command.h"
#include "cmd/trace_options.h"
#include "show/info.h"
#include "show/input.h"
#include "show/print.h"
#include "util/report.h"

struct info_options {
	char *path;
	struct fxt_window window;
	bool json;
};

static const struct argp_option table[] = {
	{ "json", 'j', NULL, 0, "Print a JSON object", 0 },
	FXT_TIME_OPTION("Count records without a time, and records"),
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct info_options *o = state->input;

	switch (key) {
	case 'j':
		o->json = true;
		break;
	default:
		return fxt_recording_option(&o->path, &o->window, key, arg, state);
	}
	return 0;
}

const struct argp cmd_info_argp = {
	table, parse, "[FILE]",
	"Summarizes FILE, an FXT file of any origin: records by kind, events by type, its "
	"CPUs, threads, providers, clock and losses; \"-\" is standard input."
	"\v"
	"A wakeup counts for its target CPU.  Times are of each provider's own clock.\n"
	"\n"
	"Exits with 1 if the file is cut or a record is malformed; the others are "
	"counted.",
	NULL, NULL, NULL,
};

/* Counts all records.  0, or the error that stopped it. */
static int summarize(struct fxt_input *input, struct fxt_summary *summary)
{
	int err;

	while ((err = fxt_input_next(input)) > 0) {
		if (!fxt_input_in_window(input)) {
			fxt_summary_skip(summary, &input->record);
			continue;
		}
		err = fxt_summary_add(summary, &input->record);
		if (err)
			break;
	}
	fxt_summary_end(summary);
	return err;
}

/* Returns whether the records that were read before an error are worth printing. */
static bool readable(int err)
{
	return !err || err == -ENODATA || err == -EBADMSG;
}

static int info_print(struct fxt_input *input, struct fxt_info *info, const struct info_options *o)
{
	int status, err = summarize(input, &info->summary), failed = 0;

	if (!readable(err))
		return fxt_input_report(input, err);
	info->whole = !err;
	if (err)
		fxt_uncounted_file(&info->summary.uncounted, "cut", input->reader.offset);
	else if (fxt_ending_is_missing(&info->summary.ending))
		fxt_uncounted_file(&info->summary.uncounted, "no end", input->reader.offset);
	if (o->json)
		failed = fxt_info_json(stdout, info);
	else
		fxt_info_text(stdout, info);
	status = fxt_print_finish(stdout, FXT_DONE);
	if (err || failed)
		return fxt_input_report(input, err ? err : failed);
	if (info->summary.kinds[FXT_KIND_MALFORMED])
		return fxt_report("%s: %llu malformed records", input->name,
				  info->summary.kinds[FXT_KIND_MALFORMED]);
	if (info->summary.uncounted.overlong)
		return fxt_report("%s: %llu records of sizes that are more than their contents", input->name,
				  info->summary.uncounted.overlong);
	return status ? status : fxt_input_outside(input);
}

int cmd_info(int argc, char **argv)
{
	struct info_options o = { 0 };
	struct fxt_input input;
	struct fxt_info info;
	int err, status;

	err = argp_parse(&cmd_info_argp, argc, argv, 0, NULL, &o);
	if (err)
		return fxt_report("%s", strerror(err));
	err = fxt_input_open_window(&input, o.path, &o.window);
	if (err)
		return fxt_input_report(&input, err);
	info.name = input.name;
	err = fxt_summary_init(&info.summary, &input.spill);
	status = err ? fxt_input_report(&input, err) : info_print(&input, &info, &o);
	fxt_summary_uninit(&info.summary);
	fxt_input_close(&input);
	return status;
}
