/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of commands that are printed, to be pasted into a shell. */
#ifndef FXT_UTIL_SHELL_H
#define FXT_UTIL_SHELL_H

#include <linux/types.h>

#include "util/buffer.h"

/* A blank and the word, quoted where a shell would read it as another one; what can't be seen is escaped. */
void fxt_shell_word(struct fxt_buffer *to, const char *word);

/*
 * The command of argv, from "fxtrec COMMAND" to NULL, with another --time=@FROM,@TO: ns of the trace's clock; 0 and ~0:
 * with the trace.
 */
void fxt_shell_command(struct fxt_buffer *to, char *const *argv, __u64 from, __u64 end);

/*
 * Returns text with what a shell does with an unquoted ">", which then isn't in the argument that lacks it: it sends
 * standard output to a file, which is named where it is such a file.
 */
#define FXT_SHELL_TAKEN	128u
const char *fxt_shell_taken(char text[FXT_SHELL_TAKEN]);

#endif
