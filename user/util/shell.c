// SPDX-License-Identifier: GPL-2.0-only
/* Words of printed commands, to be pasted into a shell. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/shell.h"
#include "util/utf8.h"

static bool is_plain(const char *word)
{
	const char *at = word;

	while (*at && (isalnum((unsigned char)*at) || strchr("%+,-./:=@_", *at)))
		at++;
	return at > word && !*at;
}

static bool is_shown(const char *word)
{
	bool shown = true;

	while (shown && *word)
		word += fxt_utf8_shown(word, strlen(word), &shown);
	return shown;
}

/* Puts a word like 'it'\''s'. */
static void quoted_put(struct fxt_buffer *to, const char *word)
{
	for (; *word; word++) {
		if (*word == '\'')
			fxt_buffer_put(to, "'\\''", 4);
		else
			fxt_buffer_put(to, word, 1);
	}
}

/* Puts a word like $'a\012b'. */
static void escaped_put(struct fxt_buffer *to, const char *word)
{
	char octal[8];
	size_t length, i;
	bool shown;

	for (; *word; word += length) {
		length = fxt_utf8_shown(word, strlen(word), &shown);
		for (i = 0; i < length; i++) {
			bool escaped = !shown || strchr("'\\", word[i]);

			snprintf(octal, sizeof(octal), escaped ? "\\%03o" : "%c", (unsigned char)word[i]);
			fxt_buffer_put(to, octal, strlen(octal));
		}
	}
}

void fxt_shell_word(struct fxt_buffer *to, const char *word)
{
	bool shown = is_shown(word);

	fxt_buffer_put(to, " ", 1);
	if (is_plain(word)) {
		fxt_buffer_put(to, word, strlen(word));
		return;
	}
	fxt_buffer_put(to, shown ? "'" : "$'", shown ? 1 : 2);
	if (shown)
		quoted_put(to, word);
	else
		escaped_put(to, word);
	fxt_buffer_put(to, "'", 1);
}

/* Returns whether a word is --time, maybe shortened, with or without its value. */
static bool is_time(const char *word)
{
	size_t length = strcspn(word, "=");

	return length >= strlen("--t") && !strncmp("--time", word, length);
}

void fxt_shell_command(struct fxt_buffer *to, char *const *argv, __u64 from, __u64 end)
{
	char begin[32] = "", time[64];
	bool options = true;

	if (from)
		snprintf(begin, sizeof(begin), "@%llu", from);
	snprintf(time, sizeof(time), end == ~0ULL ? "--time=%s," : "--time=%s,@%llu", begin, end);
	fxt_buffer_put(to, argv[0], strlen(argv[0]));
	fxt_shell_word(to, time);
	for (argv++; *argv; argv++) {
		options = options && strcmp(*argv, "--");
		if (!options || !is_time(*argv))
			fxt_shell_word(to, *argv);
		else if (!strchr(*argv, '=') && argv[1])
			argv++;
	}
}

const char *fxt_shell_taken(char text[FXT_SHELL_TAKEN])
{
	char path[PATH_MAX];
	struct stat st;
	ssize_t bytes = -1;

	if (!fstat(STDOUT_FILENO, &st) && S_ISREG(st.st_mode) && !st.st_size)
		bytes = readlink("/proc/self/fd/1", path, sizeof(path) - 1);
	if (bytes < 0)
		return strcpy(text, "a shell takes > for itself, so quote it");
	path[bytes] = '\0';
	snprintf(text, FXT_SHELL_TAKEN, "a shell took > for itself, and made the empty file %.50s; quote it", basename(path));
	return text;
}
