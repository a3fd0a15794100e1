/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the options of a command in its tables for argp. */
#ifndef FXT_OPTION_TABLES_H
#define FXT_OPTION_TABLES_H

#include <stdbool.h>

#include "cmd/command.h"

/* Calls visit() for the options of a command and its children, until it returns true; returns that option, or NULL. */
const struct argp_option *fxt_options_each(const struct argp *argp, bool (*visit)(const struct argp_option *o, void *arg),
					   void *arg);

/*
 * Returns the option that a word "--output", "--output=x" or "-o" names and that takes a value; NULL: no such option.
 */
const struct argp_option *fxt_option_find(const struct fxt_command *command, const char *word);

/* Returns the option of a word if the next word is its value; else NULL. */
const struct argp_option *fxt_option_before(const struct fxt_command *command, const char *word);

/* Returns the text after the options, as in the help. */
const char *fxt_usage_of(const struct fxt_command *command);

#endif
