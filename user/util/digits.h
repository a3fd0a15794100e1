/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as digits. */
#ifndef FXT_UTIL_DIGITS_H
#define FXT_UTIL_DIGITS_H

#include <stddef.h>
#include <string.h>

#include <linux/types.h>

/* "00" to "99", one after the other. */
extern const char fxt_digit_pairs[201];

/* Writes a number's digits; at has space for 20 bytes.  Returns the end. */
char *fxt_digits(char *at, __u64 number);
char *fxt_digits_signed(char *at, __s64 number);

/* Writes lower-case hexadecimal digits, with leading zeros up to least digits; at has space for 16 bytes. */
char *fxt_digits_hex(char *at, __u64 number, unsigned int least);

/* Writes two hexadecimal digits for each byte. */
char *fxt_digits_bytes(char *at, const __u8 *bytes, size_t count);

/*
 * Writes the shortest decimal text that reads back as the same double, with a point or an exponent; or "nan", "inf" or
 * "-inf".  at has space for 32 bytes.
 */
char *fxt_digits_double(char *at, double real);

/* Writes exactly width digits, with leading zeros, of a number that has no more. */
static inline __attribute__((always_inline)) char *fxt_digits_padded(char *at, __u32 number,
								      unsigned int width)
{
	unsigned int left = width;

	for (; left >= 2; left -= 2, number /= 100)
		memcpy(at + left - 2, fxt_digit_pairs + 2 * (number % 100), 2);
	if (left)
		*at = '0' + number % 10;
	return at + width;
}

/* Does the same as fxt_digits_signed(), for numbers that mostly have three digits. */
static inline char *fxt_digits_short(char *at, __s32 number)
{
	return number >= 100 && number < 1000 ? fxt_digits_padded(at, number, 3) :
						fxt_digits_signed(at, number);
}

#endif
