// SPDX-License-Identifier: GPL-2.0-only
/* Words of commands that are printed, to be pasted into a shell. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "util/shell.h"
#include "util/utf8.h"

static bool is_plain(const char *word)
{
	const char *at = word;

	while (*at && (isalnum((unsigned char)*at) || strchr("%+,-./:=@_", *at)))
		at++;
	return at > word && !*at;
}

/* Whether a character is shown as it is; its bytes. */
static bool is_seen(const char *at, size_t *length)
{
	*length = fxt_utf8_length(at, strlen(at));
	if (*length)
		return !fxt_utf8_hides(fxt_utf8_decode(at, *length));
	*length = 1;
	return false;
}

static bool is_all_seen(const char *word)
{
	size_t length;

	for (; *word; word += length)
		if (!is_seen(word, &length))
			return false;
	return true;
}

/* 'it'\''s' */
static void quoted_put(struct fxt_buffer *to, const char *word)
{
	for (; *word; word++) {
		if (*word == '\'')
			fxt_buffer_put(to, "'\\''", 4);
		else
			fxt_buffer_put(to, word, 1);
	}
}

/* $'a\012b' */
static void escaped_put(struct fxt_buffer *to, const char *word)
{
	char octal[8];
	size_t length, i;

	for (; *word; word += length) {
		bool seen = is_seen(word, &length);

		for (i = 0; i < length; i++) {
			bool escaped = !seen || strchr("'\\", word[i]);

			snprintf(octal, sizeof(octal), escaped ? "\\%03o" : "%c", (unsigned char)word[i]);
			fxt_buffer_put(to, octal, strlen(octal));
		}
	}
}

void fxt_shell_word(struct fxt_buffer *to, const char *word)
{
	bool seen = is_all_seen(word);

	fxt_buffer_put(to, " ", 1);
	if (is_plain(word)) {
		fxt_buffer_put(to, word, strlen(word));
		return;
	}
	fxt_buffer_put(to, seen ? "'" : "$'", seen ? 1 : 2);
	if (seen)
		quoted_put(to, word);
	else
		escaped_put(to, word);
	fxt_buffer_put(to, "'", 1);
}
