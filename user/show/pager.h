/* SPDX-License-Identifier: GPL-2.0-only */
/* Shows long output of a command on a terminal page by page, by a program as git and perf use it. */
#ifndef FXT_SHOW_PAGER_H
#define FXT_SHOW_PAGER_H

#include <stdbool.h>

/*
 * Starts the pager, and makes standard output, and standard error where it is a terminal, its input.  The program is
 * FXTREC_PAGER, or PAGER, or less where it is installed; an empty text and "cat" mean none.  Returns whether it runs.
 */
bool fxt_pager_start(void);

/* Ends the pager's input, and waits until its user has left it.  Does nothing without a pager. */
void fxt_pager_finish(void);

#endif
