// SPDX-License-Identifier: GPL-2.0-only
/* Converts fields as ftrace's option "fields" prints them: "pid=0x5955 (22869)". */
#include "formats/ftrace/read.h"

static const char key_end[] = "=0x";

/* Returns whether two spellings are the same number; in hexadecimal, -1 has all digits of its type. */
static bool same(__u64 hex, size_t digits, bool negative, __u64 decimal)
{
	__u64 mask = digits >= 16 ? ~0ULL : (1ULL << 4 * digits) - 1;

	return hex == (negative ? -decimal & mask : decimal);
}

/* Takes "0x5955 (22869)", and returns the decimal number. */
static bool number_take(struct fxt_span *s, struct fxt_span *decimal)
{
	const char *start = s->at + 2;
	__u64 hex, number;
	bool negative;
	size_t digits;

	if (!fxt_span_skip(s, "0x") || !fxt_span_hex(s, &hex))
		return false;
	digits = s->at - start;
	if (!fxt_span_skip(s, " ("))
		return false;
	*decimal = *s;
	negative = fxt_span_skip(s, "-");
	if (!fxt_span_number(s, &number) || !same(hex, digits, negative, number))
		return false;
	decimal->bytes = s->at - decimal->at;
	return fxt_span_skip(s, ")");
}

static char *append(char *to, const char *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return to + bytes;
}

/* Returns whether the event is a text of the kernel or a program, which stays a text whatever it looks like. */
static bool is_message(struct fxt_span event)
{
	static const char *const events[] = { "tracing_mark_write", "print", "bprint", "bputs", "console", "0" };
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (fxt_span_is(event, events[i]))
			return true;
	return false;
}

bool fxt_ftrace_numbers(struct fxt_ftrace_line *line, char *to)
{
	struct fxt_span rest = line->fields, decimal;
	const char *start = to, *found;

	if (is_message(line->event))
		return false;
	while ((found = memmem(rest.at, rest.bytes, key_end, sizeof(key_end) - 1))) {
		size_t before = found + 1 - rest.at;

		to = append(to, rest.at, before);
		rest = fxt_span(rest.at + before, rest.bytes - before);
		if (!number_take(&rest, &decimal))
			return false;
		to = append(to, decimal.at, decimal.bytes);
	}
	if (to == start)
		return false;
	to = append(to, rest.at, rest.bytes);
	line->fields = fxt_span(start, to - start);
	return true;
}
