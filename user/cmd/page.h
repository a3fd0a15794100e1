/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of "fxtrec page" for other commands. */
#ifndef FXT_CMD_PAGE_H
#define FXT_CMD_PAGE_H

#include "convert/convert.h"

/*
 * Makes the page of a file, as "fxtrec page FILE -o PAGE" does, and keeps an existing page.  Returns an enum fxt_exit;
 * errors are reported.
 */
int cmd_page_make(char *file, char *page);

/* Returns the name of a trace's page: the trace's own, with another suffix; a heap string, or NULL without memory. */
char *cmd_page_name(const char *path);

/* Does the same for the inputs and the window of a conversion, to its output_fd; argv: the command that was typed. */
int cmd_page_make_fd(const struct fxt_convert_options *convert, char **argv);

#endif
