// SPDX-License-Identifier: GPL-2.0-only
/* Numbers as digits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/digits.h"

#define ROW(tens) \
	#tens "0" #tens "1" #tens "2" #tens "3" #tens "4" #tens "5" #tens "6" #tens "7" #tens "8" \
	#tens "9"

const char fxt_digit_pairs[201] =
	ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9);

static const __u64 powers[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
	100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
	10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000u,
};

char *fxt_digits(char *at, __u64 number)
{
	/* Approximates log10(2) by 1233 / 4096, exact enough for 64 bits. */
	unsigned int count = (64u - __builtin_clzll(number | 1)) * 1233 >> 12;
	char *end;

	count += number >= powers[count];
	end = at = at + (count ? count : 1);
	for (; number >= 100; number /= 100)
		memcpy(at -= 2, fxt_digit_pairs + 2 * (number % 100), 2);
	if (number >= 10)
		memcpy(at - 2, fxt_digit_pairs + 2 * number, 2);
	else
		at[-1] = '0' + number;
	return end;
}

char *fxt_digits_signed(char *at, __s64 number)
{
	if (number >= 0)
		return fxt_digits(at, number);
	*at++ = '-';
	return fxt_digits(at, 0 - (__u64)number);
}

static char hex(unsigned int digit)
{
	return "0123456789abcdef"[digit & 15];
}

char *fxt_digits_hex(char *at, __u64 number, unsigned int least)
{
	unsigned int count = number ? (67 - __builtin_clzll(number)) / 4 : 0;

	if (count < least)
		count = least;
	while (count--)
		*at++ = hex(number >> 4 * count);
	return at;
}

char *fxt_digits_bytes(char *at, const __u8 *bytes, size_t count)
{
	while (count--) {
		*at++ = hex(*bytes >> 4);
		*at++ = hex(*bytes++);
	}
	return at;
}

static char *double_slowly(char *at, double real)
{
	int precision, length;

	for (precision = 15; ; precision++) {
		length = snprintf(at, 32, "%.*g", precision, real);
		if (precision == 17 || strtod(at, NULL) == real)
			break;
	}
	if (!isfinite(real) || strpbrk(at, ".e"))
		return at + length;
	memcpy(at + length, ".0", 2);
	return at + length + 2;
}

char *fxt_digits_double(char *at, double real)
{
	double thousandths = fabs(real) * 1000;
	__u64 whole;

	/* A number of up to three decimals is exact where the division restores it. */
	if (!(thousandths < 1e15) || (real == 0 && signbit(real)))
		return double_slowly(at, real);
	whole = thousandths + 0.5;
	if (whole / 1000.0 != fabs(real))
		return double_slowly(at, real);
	if (real < 0)
		*at++ = '-';
	at = fxt_digits(at, whole / 1000);
	*at++ = '.';
	at = fxt_digits_padded(at, whole % 1000, 3);
	while (at[-1] == '0' && at[-2] != '.')
		at--;
	return at;
}
