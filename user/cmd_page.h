/* SPDX-License-Identifier: GPL-2.0-only */
/* What other commands need of "fxtrec page". */
#ifndef FXT_CMD_PAGE_H
#define FXT_CMD_PAGE_H

#include "convert/convert.h"

/* The page of a file, as "fxtrec page FILE -o PAGE" makes it.  An enum fxt_exit, reported. */
int cmd_page_make(char *file, char *page);

/* The same of the inputs and the window of a conversion, to its output_fd; argv: the command that was typed. */
int cmd_page_make_fd(const struct fxt_convert_options *convert, char **argv);

#endif
