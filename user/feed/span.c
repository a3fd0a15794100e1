// SPDX-License-Identifier: GPL-2.0-only
/* Takes numbers and words off the starts of texts, and corrects their characters. */
#include <math.h>
#include <stdlib.h>

#include "feed/span.h"
#include "util/time.h"
#include "util/utf8.h"

bool fxt_span_skip(struct fxt_span *span, const char *text)
{
	size_t bytes = strlen(text);

	if (span->bytes < bytes || memcmp(span->at, text, bytes))
		return false;
	span->at += bytes;
	span->bytes -= bytes;
	return true;
}

void fxt_span_skip_spaces(struct fxt_span *span)
{
	while (span->bytes && *span->at == ' ') {
		span->at++;
		span->bytes--;
	}
}

void fxt_span_trim(struct fxt_span *span)
{
	while (span->bytes && span->at[span->bytes - 1] == ' ')
		span->bytes--;
}

static bool digit(const struct fxt_span *span)
{
	return span->bytes && *span->at >= '0' && *span->at <= '9';
}

bool fxt_span_number(struct fxt_span *span, __u64 *number)
{
	if (!digit(span))
		return false;
	*number = 0;
	while (digit(span)) {
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, *span->at - '0', number))
			return false;
		span->at++;
		span->bytes--;
	}
	return true;
}

bool fxt_span_hex(struct fxt_span *span, __u64 *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *found;
	size_t count = 0;

	*number = 0;
	while (span->bytes && *span->at && (found = strchr(digits, *span->at))) {
		*number = *number << 4 | (found - digits);
		span->at++;
		span->bytes--;
		count++;
	}
	return count && count <= 16;
}

bool fxt_span_u32(struct fxt_span *span, __u32 *number)
{
	__u64 wide;

	if (!fxt_span_number(span, &wide) || wide > 0x7fffffff)
		return false;
	*number = wide;
	return true;
}

bool fxt_span_priority(struct fxt_span *span, __s32 *priority)
{
	bool negative = fxt_span_skip(span, "-");
	__u32 number;

	if (!fxt_span_u32(span, &number))
		return false;
	*priority = negative ? -(__s32)number : (__s32)number;
	return true;
}

bool fxt_span_real(struct fxt_span span, double *number)
{
	char text[64], *end;

	if (!span.bytes || span.bytes >= sizeof(text))
		return false;
	memcpy(text, span.at, span.bytes);
	text[span.bytes] = 0;
	if (text[strspn(text, "+-.0123456789eE")])
		return false;
	*number = strtod(text, &end);
	return !*end && isfinite(*number);
}

struct fxt_span fxt_span_part(struct fxt_span *span, char end)
{
	const char *found = span->bytes ? memchr(span->at, end, span->bytes) : NULL;
	struct fxt_span part = *span;

	if (found) {
		part.bytes = found - span->at;
		span->at = found + 1;
		span->bytes -= part.bytes + 1;
	} else {
		*span = fxt_span(span->at + span->bytes, 0);
	}
	return part;
}

/* Reads the digits after the point, up to nanoseconds. */
static bool fraction_parse(struct fxt_span *s, __u64 seconds, __u64 *ns)
{
	__u64 fraction = 0, unit = SECOND_NS / 10;

	for (; digit(s); s->at++, s->bytes--) {
		fraction += (*s->at - '0') * unit;
		unit /= 10;
	}
	return !__builtin_mul_overflow(seconds, SECOND_NS, ns) &&
	       !__builtin_add_overflow(*ns, fraction, ns);
}

bool fxt_span_seconds(struct fxt_span *span, __u64 *ns)
{
	__u64 seconds;

	if (!fxt_span_number(span, &seconds))
		return false;
	fxt_span_skip(span, ".");
	return fraction_parse(span, seconds, ns);
}

/* Returns whether all characters are printable ASCII. */
static bool is_plain(struct fxt_span s)
{
	__u8 bad = 0;
	size_t i;

	for (i = 0; i < s.bytes; i++)
		bad |= (__u8)s.at[i] >= 0x7f || (__u8)s.at[i] < 0x20;
	return !bad;
}

struct fxt_span fxt_span_mend(struct fxt_span s, char *to)
{
	size_t i;

	if (is_plain(s))
		return s;
	memcpy(to, s.at, s.bytes);
	fxt_utf8_mend(to, s.bytes);
	for (i = 0; i < s.bytes; i++) {
		__u8 c = to[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			to[i] = '?';
	}
	return fxt_span(to, s.bytes);
}
