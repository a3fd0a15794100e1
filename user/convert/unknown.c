// SPDX-License-Identifier: GPL-2.0-only
/* Describes an input of unknown format, and a way to convert it. */
#include <errno.h>
#include <string.h>

#include "convert/unknown.h"

struct magic {
	size_t at, bytes;
	const char *magic, *is;
};

#define MAGIC(at, text, is)	{ at, sizeof(text) - 1, text, is }

/* Order matters: UTF-32's mark starts as UTF-16's. */
static const struct magic magics[] = {
	MAGIC(0, "\xfd" "7zXZ", "packed: unpack it first (xz -d)"),
	MAGIC(0, "BZh", "packed: unpack it first (bzip2 -d)"),
	MAGIC(0, "\x04\x22\x4d\x18", "packed: unpack it first (lz4 -d)"),
	MAGIC(0, "PK\x03\x04", "packed: unpack it first (unzip)"),
	MAGIC(257, "ustar", "packed: unpack it first (tar -x)"),
	MAGIC(0, "\xff\xfe\0\0", "text in UTF-32: make it UTF-8 first (iconv -f UTF-32 -t UTF-8)"),
	MAGIC(0, "\0\0\xfe\xff", "text in UTF-32: make it UTF-8 first (iconv -f UTF-32 -t UTF-8)"),
	MAGIC(0, "\xff\xfe", "text in UTF-16: make it UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
	MAGIC(0, "\xfe\xff", "text in UTF-16: make it UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
	MAGIC(0, "\x7f" "ELF", "a program (ELF), not a trace: \"fxtrec record -- PROGRAM\" records one"),
	MAGIC(0, "#!", "a script, not a trace: \"fxtrec record -- SCRIPT\" records one"),
	MAGIC(0, "SQLite format 3", "a database of SQLite, not a trace"),
};

/* Recognizes 16-bit ASCII without a byte order mark: every other of the first bytes is 0. */
static const char *wide_text(const __u8 *start, size_t bytes)
{
	size_t i, zeros[2] = { 0 };

	for (i = 0; i < 16 && i < bytes; i++)
		zeros[i % 2] += !start[i];
	if (bytes < 16 || zeros[0] + zeros[1] != 8 || (zeros[0] && zeros[1]))
		return NULL;
	return zeros[0] ? "text in UTF-16: make it UTF-8 first (iconv -f UTF-16BE -t UTF-8)" :
			  "text in UTF-16: make it UTF-8 first (iconv -f UTF-16LE -t UTF-8)";
}

/* Returns the next character after white space; 0: there is none. */
static char letter(const __u8 *start, size_t bytes, size_t *i)
{
	while (*i < bytes && start[*i] && strchr(" \t\r\n", start[*i]))
		++*i;
	return *i < bytes ? start[(*i)++] : 0;
}

/* Describes text that is nearly JSON, by its first characters. */
static const char *near_json(const __u8 *start, size_t bytes)
{
	size_t i = bytes >= 3 && !memcmp(start, "\xef\xbb\xbf", 3) ? 3 : 0;
	char first = letter(start, bytes, &i), next = letter(start, bytes, &i);

	if (first == '/' && (next == '/' || next == '*'))
		return "it begins with a comment, which JSON does not have: remove it";
	if (first != '[' && first != '{')
		return NULL;
	if (next == '/')
		return "a comment in JSON, which does not have any: remove it";
	if (next == ',')
		return "a comma before the first element, which is not JSON: remove it";
	if (first == '{' && next)
		return "an object with keys that are not in double quotes, which is not JSON: write it so (json.dumps in Python)";
	return NULL;
}

static const char *kind_of(const __u8 *start, size_t bytes)
{
	const char *is = NULL;
	size_t i;

	for (i = 0; i < sizeof(magics) / sizeof(magics[0]) && !is; i++)
		if (bytes >= magics[i].at + magics[i].bytes && !memcmp(start + magics[i].at, magics[i].magic, magics[i].bytes))
			is = magics[i].is;
	if (!is)
		is = wide_text(start, bytes);
	if (!is)
		is = near_json(start, bytes);
	if (!is && bytes >= 3 && !memcmp(start, "\xef\xbb\xbf", 3))
		is = "text with a byte order mark, of no known format: without it (tail -c +4) it may be";
	return is ? is : "not a trace of a known format (--from names one)";
}

int fxt_unknown_error(struct fxt_error *error, const struct fxt_in *in)
{
	return fxt_error_set(error, EPROTO, "%s: %s", in->name,
			     in->start_bytes ? kind_of(in->start, in->start_bytes) : "not a trace: it is empty");
}
