/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON text: gathered in a buffer that grows, strings escaped, what others call JSON validated. */
#ifndef FXT_CONVERT_JSON_TEXT_H
#define FXT_CONVERT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* All zero is empty. */
struct fxt_json_text {
	char *bytes;
	size_t length;
	size_t room;
	bool failed;		/* no memory: what was put since is missing */
};

void fxt_json_text_uninit(struct fxt_json_text *text);

/* Room for more bytes behind length, or NULL. */
char *fxt_json_text_room(struct fxt_json_text *text, size_t more);

void fxt_json_text_put(struct fxt_json_text *text, const char *bytes, size_t count);

/* A string with its quotes. */
void fxt_json_text_string(struct fxt_json_text *text, const char *bytes, size_t count);

/* Bytes that a byte of a string takes at most. */
#define FXT_JSON_ESCAPE_MAX	6u

/*
 * The inside of a JSON string, at a place with room for FXT_JSON_ESCAPE_MAX
 * times count; returns what is behind it.  What isn't UTF-8 becomes U+FFFD.
 */
char *fxt_json_escape(char *to, const char *from, size_t count);

/*
 * Appends what \uXXXX stands for, in UTF-8: a surrogate waits in *high for its
 * other half, and is a '?' without it.  Returns the bytes, up to 4.
 */
unsigned int fxt_json_unescape_unit(char *to, unsigned int unit, unsigned int *high);

/* Whether the text is one JSON value, no more. */
bool fxt_json_valid(const char *text, size_t count);

#endif
