/* SPDX-License-Identifier: GPL-2.0-only */
/* Completes values of options from the traces on the command line, for a shell. */
#ifndef FXT_CMD_COMPLETE_TRACE_H
#define FXT_CMD_COMPLETE_TRACE_H

#include "cmd/command.h"
#include "complete/values.h"

/* Returns the first file on a command's line, before its last word, which is completed; NULL: no file. */
const char *cmd_complete_file(const struct fxt_command *command, int count, char **words);

/*
 * Adds ids or names of the trace's threads, by the name of the option (pid, tid, comm, cgroup), as far as they are
 * found in a second.
 */
void cmd_complete_trace(const struct fxt_values *to, const char *option, const char *file);

#endif
