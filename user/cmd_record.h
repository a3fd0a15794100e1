/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of "fxtrec record". */
#ifndef FXT_CMD_RECORD_H
#define FXT_CMD_RECORD_H

#include <argp.h>

#include "record/options.h"

/* Sets all options; a mistake is reported and ends the process. */
void cmd_record_options(struct fxt_record_options *options, int argc, char **argv);

/* What chooses threads and CPUs; its input is a struct fxt_filter, all zero. */
extern const struct argp cmd_record_filter;

/* The filter, complete: NULL where nothing is left out.  A mistake ends the process. */
const struct fxt_filter *cmd_record_filter_finish(struct fxt_filter *filter,
						  const struct argp_state *state);

#endif
