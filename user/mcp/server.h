/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers messages of JSON-RPC 2.0 as the Model Context Protocol has them. */
#ifndef FXT_MCP_SERVER_H
#define FXT_MCP_SERVER_H

#include "mcp/folders.h"
#include "mcp/mcp.h"

struct json_object;

/* Codes of errors: https://www.jsonrpc.org/specification, section 5.1. */
#define FXT_MCP_PARSE_ERROR		(-32700)
#define FXT_MCP_INVALID_REQUEST		(-32600)
#define FXT_MCP_UNKNOWN_METHOD		(-32601)
#define FXT_MCP_INVALID_PARAMETERS	(-32602)
#define FXT_MCP_INTERNAL_ERROR		(-32603)

struct fxt_mcp_server {
	const struct fxt_mcp *options;
	struct fxt_mcp_folders folders;
	const char *version;	/* version of the protocol, as agreed with the client */
};

/* Returns the answer to a message; NULL: a message without one.  The caller puts it. */
struct json_object *fxt_mcp_server_answer(struct fxt_mcp_server *server, struct json_object *message);

/* Returns an answer that reports an error; id may be NULL. */
struct json_object *fxt_mcp_server_error(struct json_object *id, int code, const char *text);

#endif
