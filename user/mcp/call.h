/* SPDX-License-Identifier: GPL-2.0-only */
/* A call of a tool: its arguments as the command line of a program. */
#ifndef FXT_MCP_CALL_H
#define FXT_MCP_CALL_H

#include <linux/types.h>

#include "mcp/folders.h"
#include "mcp/tools.h"
#include "util/buffer.h"
#include "util/error.h"

/* Words of the longest command line: "fxtrec", a command, its option, one for each argument, and NULL. */
#define FXT_MCP_WORDS		12u
/* Bytes of the longest command line as it is shown: it has to leave most of a reply for the result. */
#define FXT_MCP_COMMAND_BYTES	3000u

struct fxt_mcp_call {
	const struct fxt_mcp_tool *tool;
	const struct fxt_mcp_folders *folders;
	char *words[FXT_MCP_WORDS];	/* command line, ended by NULL */
	unsigned int count;
	struct fxt_buffer command;	/* command line for a person: without control characters, quoted for a shell */
	__u64 duration_ns;		/* duration of a recording */
	const char *cursor;		/* NULL: the start of the result */
};

/*
 * Makes the command line from the client's arguments (NULL: none).  0, or -errno with the error set; uninit has to
 * follow in both cases.  The arguments have to stay valid.
 */
int fxt_mcp_call_init(struct fxt_mcp_call *call, const struct fxt_mcp_tool *tool, const struct fxt_mcp_folders *folders,
		      struct json_object *arguments, struct fxt_error *error);
void fxt_mcp_call_uninit(struct fxt_mcp_call *call);

#endif
