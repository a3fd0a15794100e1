/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields as text on a stream: fast, and safe for a terminal whatever a file holds. */
#ifndef FXT_SHOW_PRINT_H
#define FXT_SHOW_PRINT_H

#include <stdio.h>

#include "codec/record.h"

void fxt_print_u64(FILE *out, __u64 value);
void fxt_print_s64(FILE *out, __s64 value);

/* 0x and at least so many digits. */
void fxt_print_hex(FILE *out, __u64 value, unsigned int digits);

/* The shortest number that reads back as the same double, with a point or an exponent. */
void fxt_print_double(FILE *out, double value);

/* Seconds with nine decimals, right-aligned to 16 columns. */
void fxt_print_seconds(FILE *out, __u64 ns);

/* Bytes in hexadecimal digits; "..." behind the first limit of them, where there are more. */
void fxt_print_bytes(FILE *out, const __u8 *data, __u64 length, __u64 limit);

/*
 * Text in double quotes, which is all printable: control characters, those that
 * change the direction of writing, and bytes that aren't UTF-8 are escaped as
 * \n, \u202e and \xff.
 */
void fxt_print_quoted(FILE *out, const char *bytes, size_t length);

/* The same without quotes where it is one word of letters, digits and _ - . : / @. */
void fxt_print_word(FILE *out, const char *bytes, size_t length);

/* A file's name: as it is, or quoted where it has more than printable ASCII. */
void fxt_print_name(FILE *out, const char *name);

/*
 * Text in a column of a table, cut or padded to so many characters; 0: as long as it is.
 * What isn't printable becomes "?".
 */
void fxt_print_cell(FILE *out, const char *text, unsigned int width);

/* The same, of a name: where it is cut, the middle of it is "..", as the ends of paths tell them apart. */
void fxt_print_title(FILE *out, const char *text, unsigned int width);

/*
 * Flushes what a command printed: its status, or FXT_FAILED, reported, where
 * writing failed; a second time there is nothing to report.  A reader that closed the pipe is no failure.
 */
int fxt_print_finish(FILE *out, int status);

#endif
