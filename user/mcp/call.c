// SPDX-License-Identifier: GPL-2.0-only
/* A call of a tool: its arguments as the command line of a program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "mcp/call.h"
#include "util/quantity.h"
#include "util/shell.h"
#include "util/utf8.h"

/* Default of an argument for a trace: the file that "fxtrec record" writes. */
#define TRACE_NAME	"trace.fxt"

static int wrong(struct fxt_error *error, const struct fxt_mcp_argument *a, const char *what)
{
	return fxt_error_set(error, EINVAL, "%s: %s", a->name, what);
}

/* Adds a heap string as a word of the command line, with its option. */
static int word_add(struct fxt_mcp_call *call, const char *option, char *value, struct fxt_error *error)
{
	char *word = value;

	if (value && option) {
		if (asprintf(&word, "%s=%s", option, value) < 0)
			word = NULL;
		free(value);
	}
	if (!word || call->count == FXT_MCP_WORDS - 1) {
		free(word);
		return fxt_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	}
	call->words[call->count++] = word;
	return 0;
}

static bool is_choice(const char *choices, const char *text)
{
	size_t length, bytes = strlen(text);

	for (; *choices; choices += length + (choices[length] == '|')) {
		length = strcspn(choices, "|");
		if (length == bytes && !strncmp(choices, text, length))
			return true;
	}
	return false;
}

/*
 * Returns whether a text starts as a statement that reads.  For a name of a file, the message of "fxtrec query" would
 * reveal whether the file exists.
 */
static bool is_statement(const char *text)
{
	static const char *const words[] = { "SELECT", "WITH", "VALUES", "EXPLAIN", "PRAGMA" };
	size_t i, length;

	text += strspn(text, " \t\r\n");
	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		length = strlen(words[i]);
		if (!strncasecmp(text, words[i], length) && text[length] && strchr(" \t\r\n(*'\"-", text[length]))
			return true;
	}
	return false;
}

/* Returns a text that a command gets for an argument, a heap string; NULL with the error set. */
static char *value_of(struct fxt_mcp_call *call, const struct fxt_mcp_argument *a, const char *text,
		      struct fxt_error *error)
{
	char *value;

	switch (a->kind) {
	case FXT_MCP_FILE:
		return fxt_mcp_folders_find(call->folders, text, error);
	case FXT_MCP_NEW_FILE:
		return fxt_mcp_folders_new(call->folders, text, error);
	case FXT_MCP_CHOICE:
		if (!is_choice(a->choices, text)) {
			wrong(error, a, a->choices);
			return NULL;
		}
		break;
	case FXT_MCP_SQL:
		if (!is_statement(text)) {
			wrong(error, a, "a statement starts with SELECT, WITH, VALUES, EXPLAIN or PRAGMA");
			return NULL;
		}
		break;
	case FXT_MCP_DURATION:
		if (fxt_quantity_duration(text, &call->duration_ns) || !call->duration_ns ||
		    call->duration_ns > FXT_MCP_RECORD_S * 1000000000ull) {
			wrong(error, a, "no duration up to 60s");
			return NULL;
		}
		break;
	default:
		break;
	}
	value = strdup(text);
	if (!value)
		fxt_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	return value;
}

/* Returns the text of a client's argument; NULL with the error set where it isn't a text that a program can get. */
static const char *text_of(const struct fxt_mcp_argument *a, struct json_object *value, struct fxt_error *error)
{
	bool number = a->kind == FXT_MCP_IDS && json_object_is_type(value, json_type_int);
	const char *text = json_object_get_string(value);
	size_t length = text ? strlen(text) : 0;

	if (!number && !json_object_is_type(value, json_type_string))
		wrong(error, a, "not a string");
	else if (!number && length != (size_t)json_object_get_string_len(value))
		wrong(error, a, "has a zero byte");
	else if (fxt_utf8_valid(text, length) != length)
		wrong(error, a, "is not UTF-8");
	else
		return text;
	return NULL;
}

static int argument_add(struct fxt_mcp_call *call, const struct fxt_mcp_argument *a, struct json_object *arguments,
			struct fxt_error *error)
{
	struct json_object *given = NULL;
	const char *text;
	char *value;

	json_object_object_get_ex(arguments, a->name, &given);
	if (!given && a->required)
		return wrong(error, a, "is missing");
	if (!given && a->kind != FXT_MCP_FILE)
		return 0;
	text = given ? text_of(a, given, error) : TRACE_NAME;
	if (!text)
		return -EINVAL;
	if (a->kind == FXT_MCP_CURSOR) {
		call->cursor = text;
		return 0;
	}
	value = value_of(call, a, text, error);
	return value ? word_add(call, a->option, value, error) : -EINVAL;
}

static int unknown_check(const struct fxt_mcp_tool *tool, struct json_object *arguments, struct fxt_error *error)
{
	const struct fxt_mcp_argument *a;

	json_object_object_foreach(arguments, name, value) {
		(void)value;
		for (a = tool->arguments; a->name && strcmp(a->name, name); a++)
			;
		if (!a->name)
			return fxt_error_set(error, EINVAL, "%.64s: %s has no such argument", name, tool->name);
	}
	return 0;
}

/* Writes the command line as a person types it. */
static int command_show(struct fxt_mcp_call *call, struct fxt_error *error)
{
	unsigned int i;

	fxt_buffer_put(&call->command, "$", 1);
	for (i = 0; i < call->count; i++)
		fxt_shell_word(&call->command, call->words[i]);
	if (call->command.failed)
		return fxt_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	if (call->command.length > FXT_MCP_COMMAND_BYTES)
		return fxt_error_set(error, E2BIG, "the command line has more than %u bytes", FXT_MCP_COMMAND_BYTES);
	return 0;
}

int fxt_mcp_call_init(struct fxt_mcp_call *call, const struct fxt_mcp_tool *tool, const struct fxt_mcp_folders *folders,
		      struct json_object *arguments, struct fxt_error *error)
{
	const struct fxt_mcp_argument *a;
	int last, err = arguments ? unknown_check(tool, arguments, error) : 0;

	*call = (struct fxt_mcp_call){ .tool = tool, .folders = folders };
	if (!err)
		err = word_add(call, NULL, strdup("fxtrec"), error);
	if (!err)
		err = word_add(call, NULL, strdup(tool->command), error);
	if (!err && tool->option)
		err = word_add(call, NULL, strdup(tool->option), error);
	/* Options come first. */
	for (last = 0; last < 2; last++)
		for (a = tool->arguments; !err && a->name; a++)
			if (last == !a->option)
				err = argument_add(call, a, arguments, error);
	return err ? err : command_show(call, error);
}

void fxt_mcp_call_uninit(struct fxt_mcp_call *call)
{
	while (call->count)
		free(call->words[--call->count]);
	fxt_buffer_uninit(&call->command);
}
