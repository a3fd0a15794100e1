// SPDX-License-Identifier: GPL-2.0-only
/* Comma-separated values. */
#include <string.h>

#include "util/csv.h"

bool fxt_csv_is_formula(const char *text)
{
	return *text && strchr("=+-@\t\r\n", *text);
}

void fxt_csv_text(FILE *out, const char *text)
{
	putc_unlocked('"', out);
	if (text && fxt_csv_is_formula(text))
		putc_unlocked('\'', out);
	for (; text && *text; text++) {
		if (*text == '"')
			putc_unlocked('"', out);
		putc_unlocked(*text, out);
	}
	putc_unlocked('"', out);
}
