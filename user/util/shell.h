/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of printed commands, to be pasted into a shell. */
#ifndef FXT_UTIL_SHELL_H
#define FXT_UTIL_SHELL_H

#include <linux/types.h>

#include "util/buffer.h"

/* Puts a blank and the word, quoted where a shell would change it; invisible characters are escaped. */
void fxt_shell_word(struct fxt_buffer *to, const char *word);

/*
 * Puts the command of argv, from "fxtrec COMMAND" to NULL, with another --time=@FROM,@TO in ns of the trace's clock;
 * without --time where from and end are 0 and ~0.
 */
void fxt_shell_command(struct fxt_buffer *to, char *const *argv, __u64 from, __u64 end);

/*
 * Returns text with the effect of an unquoted ">" on the argument that lacks it: the shell sends standard output to a
 * file, which the text names if it is a regular one.
 */
#define FXT_SHELL_TAKEN	128u
const char *fxt_shell_taken(char text[FXT_SHELL_TAKEN]);

#endif
