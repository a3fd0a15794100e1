/* SPDX-License-Identifier: GPL-2.0-only */
/* Common options of the commands that read a trace: --time, --from, --strict and --lenient; and the trace's name. */
#ifndef FXT_TRACE_OPTIONS_H
#define FXT_TRACE_OPTIONS_H

#include <argp.h>

#include "convert/convert.h"

/* The file that "fxtrec record" writes to, and other commands read, by default. */
#define FXT_TRACE_NAME	"trace.fxt"

/*
 * Sets the default file in the current folder, at ARGP_KEY_NO_ARGS, and reports it; exits as argp_error() where it is
 * missing.
 */
void fxt_trace_default(const struct argp_state *state, char **name);

/* Sets the inputs at ARGP_KEY_ARGS and ARGP_KEY_NO_ARGS: all arguments, or the default file. */
void fxt_inputs_parse(struct fxt_convert_options *o, const struct argp_state *state);

#define FXT_TIME_KEY	0x1000

/* The row of --time in a command's options. */
#define FXT_TIME_OPTION(what)								\
	{ "time", FXT_TIME_KEY, "FROM,TO", 0, what " from FROM on and before TO: a time from the "	\
	  "trace's start (1.5, 200ms), or before its end (-1s), or of its clock (@NS, or "	\
	  "@34859.57 seconds), or as any command prints it; an empty side has no limit", 0 }

/* Parses the argument of --time; exits as argp_error() where it is wrong. */
void fxt_time_option(struct fxt_window *window, const char *arg, const struct argp_state *state);

/* Handles --time, and the one file of a command or its default; ARGP_ERR_UNKNOWN for any other key. */
error_t fxt_recording_option(char **path, struct fxt_window *window, int key, char *arg, const struct argp_state *state);

#define FXT_FROM_KEY	0x1008

/* The row of --from; key: FXT_FROM_KEY, or a letter. */
#define FXT_FROM_OPTION(key, group)							\
	{ "from", key, "FORMAT", 0, "Read all inputs as FORMAT, whatever their content", group }

#define FXT_STRICT_KEY	0x1010
#define FXT_LENIENT_KEY	'l'

/* The rows of --strict and --lenient. */
#define FXT_STRICT_OPTION(group)							\
	{ "strict", FXT_STRICT_KEY, NULL, 0, "Fail at the first item of an input that isn't understood",	\
	  group },									\
	{ "lenient", FXT_LENIENT_KEY, NULL, 0, "Skip input that isn't understood, and report it (the "	\
	  "default)", group }

/* Returns the format of that name; exits as argp_error() where there is none. */
const struct fxt_format *fxt_format_option(const char *arg, const struct argp_state *state);

/* Handles --from, --strict or --lenient, by its key; exits as argp_error() where its argument is wrong. */
void fxt_reading_option(struct fxt_convert_options *o, int key, const char *arg, const struct argp_state *state);

#endif
