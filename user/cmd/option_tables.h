/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a command, by its tables for argp. */
#ifndef FXT_OPTION_TABLES_H
#define FXT_OPTION_TABLES_H

#include <stdbool.h>

#include "cmd/command.h"

/* Calls visit for the options of a command and its children, up to the one that it returns true for, which is returned. */
const struct argp_option *fxt_options_each(const struct argp *argp, bool (*visit)(const struct argp_option *o, void *arg),
					   void *arg);

/* The option of a word "--output", "--output=x" or "-o" that takes a value; NULL: there is none. */
const struct argp_option *fxt_option_find(const struct fxt_command *command, const char *word);

/* The option of a word that is given its value by the next word; NULL: it isn't. */
const struct argp_option *fxt_option_before(const struct fxt_command *command, const char *word);

/* Returns the text after the options, as the help has it. */
const char *fxt_usage_of(const struct fxt_command *command);

#endif
