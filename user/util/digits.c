// SPDX-License-Identifier: GPL-2.0-only
/* Decimal digits. */
#include "util/digits.h"

#define ROW(tens) \
	#tens "0" #tens "1" #tens "2" #tens "3" #tens "4" #tens "5" #tens "6" #tens "7" #tens "8" \
	#tens "9"

const char fxt_digit_pairs[201] =
	ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5) ROW(6) ROW(7) ROW(8) ROW(9);

char *fxt_digits(char *at, __u64 number)
{
	char reversed[20], *end = reversed + sizeof(reversed), *first = end;

	while (number >= 100) {
		first -= 2;
		memcpy(first, fxt_digit_pairs + 2 * (number % 100), 2);
		number /= 100;
	}
	if (number >= 10) {
		first -= 2;
		memcpy(first, fxt_digit_pairs + 2 * number, 2);
	} else {
		*--first = '0' + number;
	}
	memcpy(at, first, end - first);
	return at + (end - first);
}

char *fxt_digits_signed(char *at, __s64 number)
{
	if (number >= 0)
		return fxt_digits(at, number);
	*at++ = '-';
	return fxt_digits(at, 0 - (__u64)number);
}
