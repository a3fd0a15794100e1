// SPDX-License-Identifier: GPL-2.0-only
/* Options of the commands that read a trace. */
#include <errno.h>

#include "trace_options.h"

#define FORMAT_NAME(id, name, suffix, other_suffix, description)	", " name

void fxt_time_option(struct fxt_window *window, const char *arg, const struct argp_state *state)
{
	int err = fxt_window_parse(window, arg);

	if (err == -ERANGE)
		argp_error(state, "--time=%s: FROM is not before TO, or a number is too large", arg);
	else if (err)
		argp_error(state, "--time=%s: no FROM,TO: each is a time (1.5, 200ms, -1s), @NS, @34859.57 or nothing", arg);
}

const struct fxt_format *fxt_format_option(const char *arg, const struct argp_state *state)
{
	const struct fxt_format *format = fxt_format_named(arg);

	/* From the first name on. */
	if (!format)
		argp_error(state, "no format \"%s\": there are %s", arg, &FXT_FORMATS(FORMAT_NAME)[2]);
	return format;
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
