/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of a text that is not terminated. */
#ifndef FXT_FEED_SPAN_H
#define FXT_FEED_SPAN_H

#include <stdbool.h>
#include <string.h>

#include "model/build.h"

struct fxt_span {
	const char *at;
	size_t bytes;
};

static inline struct fxt_span fxt_span(const char *at, size_t bytes)
{
	return (struct fxt_span){ at, bytes };
}

static inline bool fxt_span_is(struct fxt_span span, const char *text)
{
	return span.bytes == strlen(text) && !memcmp(span.at, text, span.bytes);
}

static inline struct fxt_text fxt_span_text(struct fxt_span span)
{
	return fxt_build_text(span.at, span.bytes);
}

/* Removes text from the start; false if the span starts otherwise. */
bool fxt_span_skip(struct fxt_span *span, const char *text);
void fxt_span_skip_spaces(struct fxt_span *span);
/* Removes spaces from the end. */
void fxt_span_trim(struct fxt_span *span);
/* Removes a number; false if the span starts with no number, or with one that does not fit. */
bool fxt_span_number(struct fxt_span *span, __u64 *number);
bool fxt_span_priority(struct fxt_span *span, __s32 *priority);
bool fxt_span_hex(struct fxt_span *span, __u64 *number);	/* without "0x" */
bool fxt_span_u32(struct fxt_span *span, __u32 *number);
/* Reads the whole span as a decimal number, which may have a point and an exponent. */
bool fxt_span_real(struct fxt_span span, double *number);
bool fxt_span_seconds(struct fxt_span *span, __u64 *ns);	/* "5", "5.25" */
/* Removes the part before a character (without the character: all of the span), and the character. */
struct fxt_span fxt_span_part(struct fxt_span *span, char end);
/* Returns a text with valid characters alone: a corrected copy at to, if need be. */
struct fxt_span fxt_span_mend(struct fxt_span span, char *to);

#endif
