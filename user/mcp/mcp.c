// SPDX-License-Identifier: GPL-2.0-only
/* Reads messages line by line from standard input, and writes their answers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "mcp/server.h"
#include "util/report.h"

/* Levels of a message: a call has three. */
#define LEVELS	16

enum line { LINE_END, LINE_WHOLE, LINE_LONG };

/* Reads a line without its break, or the rest at the end of input; the text ends with a zero. */
static enum line line_read(FILE *in, char *text, size_t *length)
{
	size_t bytes = 0;
	int c;

	while ((c = getc_unlocked(in)) != EOF && c != '\n') {
		if (bytes < FXT_MCP_MESSAGE_BYTES)
			text[bytes] = c;
		bytes++;
	}
	*length = bytes;
	if (bytes > FXT_MCP_MESSAGE_BYTES)
		return LINE_LONG;
	text[bytes] = '\0';
	return c == EOF && !bytes ? LINE_END : LINE_WHOLE;
}

static struct json_object *text_answer(struct fxt_mcp_server *server, struct json_tokener *tokener, const char *text,
				       size_t length)
{
	struct json_object *message, *answer;

	json_tokener_reset(tokener);
	/* The zero at the end ends a number; a zero before it would end the text. */
	message = strlen(text) == length ? json_tokener_parse_ex(tokener, text, length + 1) : NULL;
	if (strlen(text) != length || json_tokener_get_error(tokener) != json_tokener_success)
		answer = fxt_mcp_server_error(NULL, FXT_MCP_PARSE_ERROR, "not JSON, or nested too deep");
	else
		answer = fxt_mcp_server_answer(server, message);
	json_object_put(message);
	return answer;
}

/* Writes an answer as one line.  Returns whether there is a reader. */
static bool answer_write(struct json_object *answer)
{
	const int flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
	size_t length;
	const char *text = json_object_to_json_string_length(answer, flags, &length);

	return text && fwrite(text, 1, length, stdout) == length && putchar('\n') != EOF && !fflush(stdout);
}

/* Returns whether a line has more than blanks; a zero is more. */
static bool is_message(const char *text, size_t length)
{
	return strspn(text, " \t\r") < length;
}

static int messages_answer(struct fxt_mcp_server *server, struct json_tokener *tokener, char *text)
{
	enum line line;
	size_t length;
	bool written = true;

	while (written && (line = line_read(stdin, text, &length)) != LINE_END) {
		struct json_object *answer = NULL;

		if (line == LINE_LONG)
			answer = fxt_mcp_server_error(NULL, FXT_MCP_INVALID_REQUEST, "a message has more than 1 MiB");
		else if (is_message(text, length))
			answer = text_answer(server, tokener, text, length);
		if (answer)
			written = answer_write(answer);
		json_object_put(answer);
	}
	return FXT_DONE;
}

int fxt_mcp_run(const struct fxt_mcp *mcp)
{
	struct fxt_mcp_server server = { .options = mcp };
	struct json_tokener *tokener = json_tokener_new_ex(LEVELS);
	char *text = malloc(FXT_MCP_MESSAGE_BYTES + 1);
	struct fxt_error error;
	int status;

	if (fxt_mcp_folders_init(&server.folders, mcp->folders, mcp->folder_count, &error)) {
		status = fxt_report("%s", error.text);
	} else if (!tokener || !text) {
		status = fxt_report("%s", strerror(ENOMEM));
	} else {
		json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
		status = messages_answer(&server, tokener, text);
	}
	fxt_mcp_folders_uninit(&server.folders);
	if (tokener)
		json_tokener_free(tokener);
	free(text);
	return status;
}
