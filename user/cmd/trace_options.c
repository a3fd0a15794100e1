// SPDX-License-Identifier: GPL-2.0-only
/* Common options of the commands that read a trace, and the trace's name. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/trace_options.h"
#include "util/near.h"
#include "util/report.h"

#define FORMAT_NAME(id, name, suffix, other_suffix, description)	", " name

void fxt_time_option(struct fxt_window *window, const char *arg, const struct argp_state *state)
{
	int err = fxt_window_parse(window, arg);

	if (err == -ERANGE)
		argp_error(state, "--time=%s: FROM is not before TO, or a number is too large", arg);
	else if (err)
		argp_error(state, "--time=%s: no FROM,TO: each is a time (1.5, 200ms, -1s), @NS, @34859.57, a time that a command printed, or nothing", arg);
}

error_t fxt_recording_option(char **path, struct fxt_window *window, int key, char *arg, const struct argp_state *state)
{
	switch (key) {
	case FXT_TIME_KEY:
		fxt_time_option(window, arg, state);
		break;
	case ARGP_KEY_ARG:
		if (*path)
			argp_error(state, "one FILE at a time");
		*path = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		fxt_trace_default(state, path);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct fxt_format *fxt_format_option(const char *arg, const struct argp_state *state)
{
	const struct fxt_format *format = fxt_format_named(arg);
	const struct fxt_format *const *f;
	char hint[FXT_NEAR_BYTES];
	struct fxt_near near;

	if (format)
		return format;
	if (strchr("0123456789@-", *arg) && *arg)
		argp_error(state, "no format \"%s\": a time is chosen by --time=%s,", arg, arg);
	fxt_near_init(&near, arg);
	for (f = fxt_formats; *f; f++)
		fxt_near_try(&near, (*f)->name);
	/* The list has a separator before its first name. */
	argp_error(state, "no format \"%s\": there are %s%s", arg, &FXT_FORMATS(FORMAT_NAME)[2], fxt_near_text(hint, &near));
	return NULL;
}

void fxt_reading_option(struct fxt_convert_options *o, int key, const char *arg, const struct argp_state *state)
{
	if (key != FXT_FROM_KEY) {
		o->strict = key == FXT_STRICT_KEY;
		return;
	}
	o->from = fxt_format_option(arg, state);
	if (!o->from->ops->read)
		argp_error(state, "%s can be written, not read", arg);
}

void fxt_trace_default(const struct argp_state *state, char **name)
{
	if (access(FXT_TRACE_NAME, F_OK))
		argp_error(state, "no FILE, and no " FXT_TRACE_NAME " here, which \"fxtrec record\" makes; - is standard input");
	fxt_report(FXT_TRACE_NAME ": read, as no FILE is given");
	*name = FXT_TRACE_NAME;
}

void fxt_inputs_parse(struct fxt_convert_options *o, const struct argp_state *state)
{
	static char *names[1];

	if (state->next < state->argc) {
		o->inputs = state->argv + state->next;
		o->input_count = state->argc - state->next;
		return;
	}
	fxt_trace_default(state, names);
	o->inputs = names;
	o->input_count = 1;
}
