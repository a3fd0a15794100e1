/* SPDX-License-Identifier: GPL-2.0-only */
/* The text of a reply: the command line, a part of its output, and the cursor of the next part. */
#ifndef FXT_MCP_REPLY_H
#define FXT_MCP_REPLY_H

#include "mcp/call.h"
#include "mcp/command.h"

/* Bytes of the longest text. */
#define FXT_MCP_REPLY_BYTES	((size_t)8 << 10)

/*
 * Writes the text for the output of a call, and sets whether the call failed.  0, or -errno with the error set.  The
 * output stands between lines with a random key, which no name in a trace can know, and has no control characters.
 */
int fxt_mcp_reply_write(struct fxt_buffer *text, const struct fxt_mcp_call *call, const struct fxt_mcp_output *output,
			bool *failed, struct fxt_error *error);

#endif
