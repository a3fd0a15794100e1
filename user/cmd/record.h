/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of "fxtrec record". */
#ifndef FXT_CMD_RECORD_H
#define FXT_CMD_RECORD_H

#include <argp.h>

#include "record/options.h"
#include "util/error.h"

/* Sets all options; a mistake is reported and ends the process. */
void cmd_record_options(struct fxt_record_options *options, int argc, char **argv);

/* Parse the arguments of -e and --trigger; a mistake is reported with a suggestion, and ends the process. */
void cmd_record_events(const struct argp_state *state, const char *arg, struct fxt_events *events);
void cmd_record_trigger(const struct argp_state *state, const char *arg, struct fxt_triggers *triggers);

/* Options that choose threads and CPUs; their input is a struct fxt_filter, all zero. */
extern const struct argp cmd_record_filter;

/* Returns the complete filter, or NULL if it drops nothing.  A mistake ends the process. */
const struct fxt_filter *cmd_record_filter_finish(struct fxt_filter *filter,
						  const struct argp_state *state);

/* Returns whether the path's suffix names a format that needs a conversion. */
bool cmd_record_converts(const char *path);

/* Reports the new path of the previous file of the output's path, if any (NULL: none), and frees it. */
void cmd_record_kept(char *kept);

/* Creates an FXT file to record to instead; its name is to be freed.  -errno with the error set. */
int cmd_record_temporary(const char *path, char **temporary, struct fxt_error *error);

/*
 * Converts the temporary file and removes it.  If the conversion fails, the file is kept, and the error names it.
 * Reports data that the format can't hold.
 */
int cmd_record_convert(char *temporary, const char *path, struct fxt_error *error);

/* Makes the requested page.  Returns an enum fxt_exit; errors are reported. */
int cmd_record_page(const struct fxt_record_options *options);

#endif
