/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs a command of fxtrec in a child process, and collects its output. */
#ifndef FXT_MCP_COMMAND_H
#define FXT_MCP_COMMAND_H

#include <stdbool.h>

#include <linux/types.h>

#include "util/buffer.h"

/* Bytes of the greatest output of a command. */
#define FXT_MCP_OUTPUT_BYTES	((size_t)16 << 20)

struct fxt_mcp_output {
	struct fxt_buffer text, messages;	/* standard output and standard error */
	int status;		/* exit status; a signal's number and 128 */
	bool late;		/* killed, as the time was over */
	bool large;		/* killed, as the output was larger than FXT_MCP_OUTPUT_BYTES */
};

/*
 * Runs this executable with argv, without a shell and without input, and kills it and its children after timeout_ns.
 * 0, or -errno where it can't be started; uninit has to follow in both cases.
 */
int fxt_mcp_command_run(struct fxt_mcp_output *output, char *const *argv, __u64 timeout_ns);
void fxt_mcp_output_uninit(struct fxt_mcp_output *output);

#endif
