// SPDX-License-Identifier: GPL-2.0-only
/* Writes texts of records, escaped for a line of ftrace's text. */
#include "formats/ftrace/write.h"
#include "util/utf8.h"

/* Returns whether a script element could end, or its text change its meaning, at a '<': at "</", "<!" and "<script". */
static bool markup(const char *text, size_t length)
{
	return length > 1 && strchr("/!sS", text[1]) && text[1];
}

/* Returns a replacement of at most FXT_FTRACE_GROWTH bytes; NULL: the character is copied. */
static const char *replacement(unsigned int style, const char *text, size_t length)
{
	switch (*text) {
	case '\n':
	case '\r':
	case '\t':
		return " ";
	case '"':
		return style & FXT_FTRACE_IN_JSON ? "\\\"" : NULL;
	case '\\':
		return style & FXT_FTRACE_IN_JSON ? "\\\\" : NULL;
	case '<':
		return style & FXT_FTRACE_IN_HTML && markup(text, length) ? "\xe2\x80\xb9" : NULL;
	case '|':
		/* A broken bar looks similar. */
		return style & FXT_FTRACE_FIELD ? "\xc2\xa6" : NULL;
	case ';':
		return style & FXT_FTRACE_VALUE & ~FXT_FTRACE_FIELD ? "," : NULL;
	case '=':
		return style & FXT_FTRACE_KEY & ~FXT_FTRACE_VALUE ? ":" : NULL;
	default:
		return (__u8)*text < 0x20 || *text == 0x7f ? "?" : NULL;
	}
}

static bool plain(char c)
{
	return (c >= '}' && c < 0x7f) || (c >= '>' && c <= '{' && c != '\\') ||
	       (c >= ' ' && c < ';' && c != '"');
}

char *fxt_ftrace_text(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *text,
		      size_t max, unsigned int where)
{
	const char *from = text->bytes;
	size_t i = 0, bytes;
	bool changed = false;

	while (i < text->length) {
		const char *other;

		if (i < max && plain(from[i])) {
			*at++ = from[i++];
			continue;
		}
		bytes = fxt_utf8_length(from + i, text->length - i);
		if (i + (bytes ? bytes : 1) > max) {
			fxt_note(&w->c->unheld, "texts too long for a line, which were cut", 1);
			break;
		}
		other = bytes ? replacement(w->style | where, from + i, text->length - i) : "?";
		/* An escape stands for the character itself. */
		changed |= other && *other != '\\';
		at = other ? fxt_ftrace_copy(at, other, strlen(other)) :
			     fxt_ftrace_copy(at, from + i, bytes);
		i += bytes ? bytes : 1;
	}
	if (changed)
		fxt_note(&w->c->unheld, "texts with characters that a line can't have, which were changed",
			 1);
	return at;
}
