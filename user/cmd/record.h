/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of "fxtrec record". */
#ifndef FXT_CMD_RECORD_H
#define FXT_CMD_RECORD_H

#include <argp.h>

#include "record/options.h"
#include "util/error.h"

/* Sets all options; a mistake is reported and ends the process. */
void cmd_record_options(struct fxt_record_options *options, int argc, char **argv);

/* The arguments of -e and --trigger; a mistake is reported, with what may be meant, and ends the process. */
void cmd_record_events(const struct argp_state *state, const char *arg, struct fxt_events *events);
void cmd_record_trigger(const struct argp_state *state, const char *arg, struct fxt_triggers *triggers);

/* What chooses threads and CPUs; its input is a struct fxt_filter, all zero. */
extern const struct argp cmd_record_filter;

/* The filter, complete: NULL where nothing is left out.  A mistake ends the process. */
const struct fxt_filter *cmd_record_filter_finish(struct fxt_filter *filter,
						  const struct argp_state *state);

/* Whether the path's suffix names a format in which records can't be written as they are. */
bool cmd_record_converts(const char *path);

/* Reports the new path of a file that had the output's path, if any (NULL), and frees it. */
void cmd_record_kept(char *kept);

/* Creates a file of FXT to record to instead; its name is to be freed.  -errno with the error set. */
int cmd_record_temporary(const char *path, char **temporary, struct fxt_error *error);

/*
 * Converts it and removes it; one that can't be converted is kept, and the error says
 * where.  What the format can't hold goes to standard error.
 */
int cmd_record_convert(char *temporary, const char *path, struct fxt_error *error);

/* Makes the page that was asked for.  An enum fxt_exit, reported. */
int cmd_record_page(const struct fxt_record_options *options);

#endif
