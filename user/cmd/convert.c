// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec convert: converts a trace of any format to any other. */
#include <argp.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/trace_options.h"
#include "convert/convert.h"
#include "util/program.h"
#include "util/quantity.h"
#include "util/report.h"

enum { KEY_SPOOL = 256, KEY_SYSTEM, KEY_OFFSET };

static const struct argp_option table[] = {
	{ "output", 'o', "OUT", 0, "Write to OUT; - is standard output", 0 },
	FXT_FROM_OPTION('f', 0),
	{ "to", 't', "FORMAT", 0, "Write FORMAT, whatever OUT's suffix", 0 },
	{ "split", 's', "LIMIT", 0, "Start a new file whenever a file reaches a size (100M) or a duration (10s): "
	  "OUT.0001.fxt and so on, each complete by itself", 0 },
	FXT_STRICT_OPTION(0),
	{ "offset", KEY_OFFSET, "IN=TIME", 0, "With inputs of several machines, add TIME (-1.5ms) to the times of "
	  "IN's machine", 0 },
	{ "system-events", KEY_SYSTEM, "ftrace|fuchsia", 0, "The form of scheduling in JSON: ftrace's text "
	  "(ftrace, the default), or Fuchsia's system events (fuchsia)", 0 },
	FXT_TIME_OPTION("Write records"),
	{ "spool-limit", KEY_SPOOL, "SIZE", 0, "Temporary files take at most SIZE, such as 2G; by default 256M and "
	  "100 times the size of all IN, because compressed data may decompress to far more", 0 },
	{ 0 }
};

/* Finds the format to write, by --to or by the suffix of OUT. */
static void target_find(struct fxt_convert_options *o, struct argp_state *state)
{
	if (!o->output)
		argp_error(state, "no -o OUT");
	if ((o->split_bytes || o->split_ns) && !strcmp(o->output, "-"))
		argp_error(state, "--split makes files: give -o FILE");
	if (!o->to)
		o->to = fxt_format_suffixed(o->output);
	if (!o->to)
		argp_error(state, "%s: its suffix names no format: give --to=FORMAT", o->output);
	if (o->fuchsia && o->to != &fxt_format_json)
		argp_error(state, "--system-events=fuchsia: only JSON objects (--to=json) have them");
	if (!o->to->ops->writer)
		argp_error(state, "%s can be read, not written", o->to->name);
	if (!o->to->ops->writer->open)
		argp_error(state, "%s is " FXT_PROGRAM_MISSING, o->to->name);
}

/* Parses "IN=TIME", or "IN=-TIME". */
static void offset_parse(struct fxt_convert_options *o, char *arg, struct argp_state *state)
{
	char *time = strrchr(arg, '=');
	bool back = time && time[1] == '-';
	__u64 ns;

	if (!time || fxt_quantity_duration(time + 1 + (back || time[1] == '+'), &ns) || ns > INT64_MAX)
		argp_error(state, "--offset=%s: not IN=TIME (b.fxt=-1.5ms)", arg);
	if (o->offset_count == FXT_OFFSETS_MAX)
		argp_error(state, "--offset: more than %u", FXT_OFFSETS_MAX);
	*time = '\0';
	o->offsets[o->offset_count].input = arg;
	o->offsets[o->offset_count++].ns = back ? -(__s64)ns : (__s64)ns;
}

/* Checks that each offset names an input. */
static void offsets_check(const struct fxt_convert_options *o, struct argp_state *state)
{
	int i, input;

	for (i = 0; i < o->offset_count; i++) {
		for (input = 0; input < o->input_count; input++)
			if (!strcmp(o->inputs[input], o->offsets[i].input))
				break;
		if (input == o->input_count)
			argp_error(state, "--offset=%s: no IN is called so", o->offsets[i].input);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fxt_convert_options *o = state->input;

	switch (key) {
	case 'o':
		o->output = arg;
		break;
	case 'f':
		fxt_reading_option(o, FXT_FROM_KEY, arg, state);
		break;
	case 't':
		o->to = fxt_format_option(arg, state);
		break;
	case 's':
		if (fxt_quantity_limit(arg, &o->split_bytes, &o->split_ns))
			argp_error(state, "--split=%s: neither a size (500K, 100M, 2G) nor a duration "
				   "(10s, 5m, 1h)", arg);
		break;
	case FXT_TIME_KEY:
		fxt_time_option(&o->window, arg, state);
		break;
	case KEY_SPOOL:
		if (fxt_quantity_bytes(arg, &o->spool_bytes) || !o->spool_bytes)
			argp_error(state, "--spool-limit=%s: no size (500M, 2G)", arg);
		break;
	case KEY_OFFSET:
		offset_parse(o, arg, state);
		break;
	case KEY_SYSTEM:
		o->fuchsia = !strcmp(arg, "fuchsia");
		if (!o->fuchsia && strcmp(arg, "ftrace"))
			argp_error(state, "--system-events=%s: ftrace or fuchsia", arg);
		break;
	case FXT_STRICT_KEY:
	case FXT_LENIENT_KEY:
		fxt_reading_option(o, key, arg, state);
		break;
	case ARGP_KEY_ARGS:
	case ARGP_KEY_NO_ARGS:
		fxt_inputs_parse(o, state);
		break;
	case ARGP_KEY_SUCCESS:
		target_find(o, state);
		offsets_check(o, state);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

#define FORMAT_HELP(id, name, suffix, other_suffix, description)	\
	"  " name ": " description "  " suffix " " other_suffix "\n"

const struct argp cmd_convert_argp = {
	table, parse, "[IN...] -o OUT",
	"Converts traces: the format of IN is detected by its content, that of OUT by its suffix; "
	"several inputs become one trace.  \"-\" is standard input or output; .gz and .zst are decompressed and "
	"compressed."
	"\v"
	"Formats:\n"
	FXT_FORMATS(FORMAT_HELP)
	"\nData that OUT's format can't hold is counted by kind on standard error.",
	NULL, NULL, NULL,
};

int cmd_convert(int argc, char **argv)
{
	static struct fxt_conversion conversion;
	struct fxt_convert_options o = { .progress = isatty(STDERR_FILENO) };
	int err = argp_parse(&cmd_convert_argp, argc, argv, 0, NULL, &o);

	if (err)
		return fxt_report("%s", strerror(err));
	err = fxt_convert(&conversion, &o);
	fxt_notes_report(&conversion.skipped, "passed over");
	fxt_notes_report(&conversion.unheld, o.to->name);
	return err ? fxt_report("%s", conversion.error.text) : FXT_DONE;
}
