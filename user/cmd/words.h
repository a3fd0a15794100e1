/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of a command line that this tool doesn't have: misspelled ones, and those of other tools. */
#ifndef FXT_WORDS_H
#define FXT_WORDS_H

#include "cmd/command.h"

/* Reports that the first word is no command, and what to type.  FXT_MISUSED. */
int fxt_words_command(int argc, char **argv);

/*
 * Before a command parses its words, argv[0] being "fxtrec NAME": FXT_MISUSED where one is an option that it hasn't, and
 * what to type is known and reported; else FXT_DONE.
 */
int fxt_words_options(const struct fxt_command *command, int argc, char **argv);

/* An answer to a word of another tool. */
struct fxt_word {
	const char *commands;	/* "report top": those that it is of; NULL: all that read traces, and have the option of its answer */
	const char *word;	/* a command, "sched latency"; or options "s|sort-order", short and long */
	const char *answer;
};

/* Words for commands, and for options; a row without a word ends each table. */
extern const struct fxt_word fxt_words_commands[], fxt_words_of_options[];

#endif
