/* SPDX-License-Identifier: GPL-2.0-only */
/* The tools: commands of fxtrec, and the arguments that each takes from a client. */
#ifndef FXT_MCP_TOOLS_H
#define FXT_MCP_TOOLS_H

#include <stdbool.h>

struct json_object;

/* The longest recording. */
#define FXT_MCP_RECORD_S	60u

enum fxt_mcp_kind {
	FXT_MCP_TEXT,		/* passed on as it is */
	FXT_MCP_IDS,		/* passed on as it is; may be a number */
	FXT_MCP_CHOICE,		/* one of some words */
	FXT_MCP_FILE,		/* a trace below the folders */
	FXT_MCP_NEW_FILE,	/* a recording to write below the folders */
	FXT_MCP_SQL,
	FXT_MCP_DURATION,	/* up to FXT_MCP_RECORD_S */
	FXT_MCP_CURSOR,		/* for the reply, not for the command */
};

struct fxt_mcp_argument {
	const char *name;	/* NULL: the end of a tool's arguments */
	enum fxt_mcp_kind kind;
	const char *option;	/* "--comm"; NULL: passed without an option, after all options */
	const char *choices;	/* "thread|process", for FXT_MCP_CHOICE */
	const char *what;	/* description for the client */
	bool required;
};

struct fxt_mcp_tool {
	const char *name;	/* NULL: the end of the tools */
	const char *command;
	const char *option;	/* option that the command always gets; NULL: none */
	const char *what;	/* description for the client */
	const struct fxt_mcp_argument *arguments;
	bool records;		/* writes a recording; all others only read */
};

/* Returns the tool of a name; NULL: none, or recordings are not allowed. */
const struct fxt_mcp_tool *fxt_mcp_tool_find(const char *name, bool record);

/* Returns the list of tools with the schemas of their arguments, for the client; the caller puts it. */
struct json_object *fxt_mcp_tools_json(bool record);

#endif
