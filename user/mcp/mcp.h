/* SPDX-License-Identifier: GPL-2.0-only */
/* A server of the Model Context Protocol on standard input and output: other programs ask questions about traces. */
#ifndef FXT_MCP_MCP_H
#define FXT_MCP_MCP_H

#include <stdbool.h>

#include <linux/types.h>

/* Bytes of the longest message that is read, without its line break. */
#define FXT_MCP_MESSAGE_BYTES	((size_t)1 << 20)

struct fxt_mcp {
	char **folders;		/* folders below which files are read, and recordings written */
	unsigned int folder_count;
	__u64 timeout_ns;	/* the longest time of a command, without the duration of a recording */
	bool record;		/* recordings are allowed */
};

/* Answers messages until the end of input.  FXT_DONE, or the result of a reported error. */
int fxt_mcp_run(const struct fxt_mcp *mcp);

#endif
