/* SPDX-License-Identifier: GPL-2.0-only */
/* The larger of the two executables, which has all commands and formats: Documentation/architecture.rst. */
#ifndef FXT_CMD_LARGER_H
#define FXT_CMD_LARGER_H

#include <stdbool.h>

/* Keeps the command line, which parsing changes. */
void cmd_larger_init(int argc, char **argv);

/*
 * Runs the command line in the larger executable, in place of this one.  Returns only where that fails: true where
 * this is the larger one, false where there is none.
 */
bool cmd_larger(void);

#endif
