/* SPDX-License-Identifier: GPL-2.0-only */
/* Comma-separated values (RFC 4180). */
#ifndef FXT_UTIL_CSV_H
#define FXT_UTIL_CSV_H

#include <stdbool.h>
#include <stdio.h>

/* Returns whether a spreadsheet would compute a text that it reads from a file, as it starts with one of "=+-@" or a control. */
bool fxt_csv_is_formula(const char *text);

/* Prints a text in quotes, with an apostrophe in front where a spreadsheet would compute the text; NULL is empty. */
void fxt_csv_text(FILE *out, const char *text);

#endif
