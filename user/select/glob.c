// SPDX-License-Identifier: GPL-2.0-only
/* Compiles globs of thread names into the automaton that producers match with. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "select/glob.h"

/* The bytes that one position of a glob matches. */
struct bytes {
	bool of[256];
};

static void range_set(struct bytes *bytes, unsigned char from, unsigned char to)
{
	unsigned int byte;

	for (byte = from; byte <= to; byte++)
		bytes->of[byte] = true;
}

/* Parses the text after a "[", including its "]"; returns its length, or 0 where the "]" is missing. */
static size_t bracket_parse(const char *text, struct bytes *bytes)
{
	bool not = *text == '!' || *text == '^';
	const char *at = text + not, *first = at;
	unsigned int byte;

	for (; *at != ']' || at == first; at++) {
		unsigned char from, to;

		if (*at == '\\')
			at++;
		if (!*at)
			return 0;
		from = to = *at;
		if (at[1] == '-' && at[2] && at[2] != ']') {
			at += 2;
			if (*at == '\\')
				at++;
			if (!*at)
				return 0;
			to = *at;
		}
		range_set(bytes, from, to);
	}
	for (byte = 0; not && byte < 256; byte++)
		bytes->of[byte] = !bytes->of[byte];
	return at + 1 - text;
}

/* Parses one position of a glob; returns its length, or 0. */
static size_t place_parse(const char *text, struct bytes *bytes)
{
	size_t length;

	memset(bytes, 0, sizeof(*bytes));
	switch (*text) {
	case '?':
		range_set(bytes, 1, 255);
		return 1;
	case '[':
		length = bracket_parse(text + 1, bytes);
		return length ? length + 1 : 0;
	case '\\':
		if (!text[1])
			return 0;
		bytes->of[(unsigned char)text[1]] = true;
		return 2;
	default:
		bytes->of[(unsigned char)*text] = true;
		return 1;
	}
}

int fxt_glob_add(struct fxt_glob *glob, const char *text)
{
	struct fxtrec_glob *a = &glob->automaton;
	unsigned int place = glob->places, byte;
	struct bytes bytes;

	if (place >= FXT_GLOB_PLACES)
		return -E2BIG;
	a->begin |= 1ULL << place;
	while (*text) {
		size_t length;

		if (*text == '*') {
			a->stays |= 1ULL << place;
			text++;
			continue;
		}
		length = place_parse(text, &bytes);
		if (!length)
			return -EINVAL;
		if (place + 1 >= FXT_GLOB_PLACES)
			return -E2BIG;
		for (byte = 1; byte < 256; byte++)
			if (bytes.of[byte])
				a->takes[byte] |= 1ULL << place;
		place++;
		text += length;
	}
	a->end |= 1ULL << place;
	glob->places = place + 1;
	return 0;
}
