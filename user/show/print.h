/* SPDX-License-Identifier: GPL-2.0-only */
/* Fields as text on a stream: fast, and safe for a terminal whatever a file holds. */
#ifndef FXT_SHOW_PRINT_H
#define FXT_SHOW_PRINT_H

#include <stdio.h>

#include "codec/record.h"

void fxt_print_u64(FILE *out, __u64 value);
void fxt_print_s64(FILE *out, __s64 value);

/* Prints 0x and at least digits digits. */
void fxt_print_hex(FILE *out, __u64 value, unsigned int digits);

/* Prints the shortest number that reads back as the same double, with a point or an exponent. */
void fxt_print_double(FILE *out, double value);

/* Prints seconds with nine decimals, right-aligned to 16 columns. */
void fxt_print_seconds(FILE *out, __u64 ns);

/* Prints bytes in hexadecimal digits; "..." after the first limit bytes, where there are more. */
void fxt_print_bytes(FILE *out, const __u8 *data, __u64 length, __u64 limit);

/*
 * Prints text in double quotes, with only printable characters: control characters, characters that change the
 * direction of writing, and bytes that aren't UTF-8 are escaped as \n, \u202e and \xff.
 */
void fxt_print_quoted(FILE *out, const char *bytes, size_t length);

/* Prints the same without quotes if the text is one word of letters, digits and _ - .  : / @. */
void fxt_print_word(FILE *out, const char *bytes, size_t length);

/* Prints a file's name: as it is, or quoted if it has more than printable ASCII. */
void fxt_print_name(FILE *out, const char *name);

/*
 * Prints text in a column of a table, cut or padded to width characters; 0: not cut or padded.  Unprintable characters
 * become "?".
 */
void fxt_print_cell(FILE *out, const char *text, unsigned int width);

/*
 * Prints a name in the same way, but cuts it by replacing its middle with "..", as the ends of paths distinguish them.
 */
void fxt_print_title(FILE *out, const char *text, unsigned int width);

/*
 * Flushes a command's output.  Returns its status, or FXT_FAILED, reported, where writing failed; a second call has
 * nothing to report.  A reader that closed the pipe is not a failure.
 */
int fxt_print_finish(FILE *out, int status);

#endif
