/* SPDX-License-Identifier: GPL-2.0-only */
/* Suggestions for words of a command line that this tool lacks: misspelled words, and words of other tools. */
#ifndef FXT_WORDS_H
#define FXT_WORDS_H

#include "cmd/command.h"

/* Reports that the first word is not a command, with a suggestion.  Returns FXT_MISUSED. */
int fxt_words_command(int argc, char **argv);

/*
 * Checks the options before a command parses them; argv[0] is "fxtrec NAME".  FXT_MISUSED for an option that the
 * command lacks, reported with a known suggestion; else FXT_DONE.
 */
int fxt_words_options(const struct fxt_command *command, int argc, char **argv);

/* The answer to a word of another tool. */
struct fxt_word {
	/* "report top": commands that the word belongs to; NULL: all that read traces and have the answer's option */
	const char *commands;
	const char *word;	/* a command, "sched latency"; or options "s|sort-order", short and long */
	const char *answer;
};

/* Words for commands, and for options; each table ends with a row without a word. */
extern const struct fxt_word fxt_words_commands[], fxt_words_of_options[];

#endif
