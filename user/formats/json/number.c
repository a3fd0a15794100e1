// SPDX-License-Identifier: GPL-2.0-only
/* Parses and writes numbers of JSON. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/out.h"
#include "formats/json/number.h"
#include "util/digits.h"

#define EXPONENT_MAX	100000

/* A decimal number: digits * 10^power. */
struct decimal {
	__u64 digits;
	long power;
	bool negative;
};

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Takes digits; those after the 19th only change the power. */
static const char *digits_take(struct decimal *d, const char *at, const char *end, bool fraction)
{
	for (; at < end && digit(*at); at++) {
		if (d->digits < 1000000000000000000ULL) {
			d->digits = 10 * d->digits + (*at - '0');
			d->power -= fraction;
		} else {
			d->power += !fraction;
		}
	}
	return at;
}

static const char *exponent_take(struct decimal *d, const char *at, const char *end)
{
	const char *start;
	bool negative = false;
	long exponent = 0;

	if (at < end && (*at == '-' || *at == '+'))
		negative = *at++ == '-';
	for (start = at; at < end && digit(*at); at++)
		if (exponent < EXPONENT_MAX)
			exponent = 10 * exponent + (*at - '0');
	d->power += negative ? -exponent : exponent;
	return at > start ? at : NULL;
}

/*
 * Parses a decimal number.  Strict: only JSON's numbers; else also with "+", with leading zeros, or with no digit after
 * ".".
 */
static int decimal_parse(struct decimal *d, const char *at, size_t count, bool strict)
{
	const char *end, *start;

	*d = (struct decimal){ 0 };
	/* An empty text may have no address. */
	if (!count)
		return -EINVAL;
	end = at + count;
	if (at < end && (*at == '-' || (*at == '+' && !strict)))
		d->negative = *at++ == '-';
	start = at;
	at = digits_take(d, at, end, false);
	if (at == start || (strict && *start == '0' && at > start + 1))
		return -EINVAL;
	if (at < end && *at == '.') {
		start = ++at;
		at = digits_take(d, at, end, true);
		if (strict && at == start)
			return -EINVAL;
	}
	if (at < end && (*at == 'e' || *at == 'E'))
		at = exponent_take(d, at + 1, end);
	return at == end ? 0 : -EINVAL;
}

bool fxt_json_number_is(const char *at, size_t count)
{
	struct decimal d;

	return !decimal_parse(&d, at, count, true);
}

int fxt_json_time_parse(struct fxt_json_time *time, const char *text, size_t count)
{
	struct decimal d;
	int err = decimal_parse(&d, text, count, false);
	__u64 rest = 0;

	if (err)
		return err;
	*time = (struct fxt_json_time){ d.digits, d.negative && d.digits, false };
	for (d.power += 3; d.power > 0 && time->ns && !time->cut; d.power--) {
		if (time->ns > FXT_JSON_NS_MAX / 10)
			time->cut = true;
		else
			time->ns *= 10;
	}
	for (; d.power < 0 && time->ns; d.power++) {
		rest = time->ns % 10;
		time->ns /= 10;
		if (d.power == -1)
			time->ns += rest >= 5;
	}
	if (time->cut || time->ns > FXT_JSON_NS_MAX) {
		time->cut = true;
		time->ns = FXT_JSON_NS_MAX;
	}
	return 0;
}

void fxt_json_number_parse(struct fxt_json_number *number, const char *text, size_t count)
{
	char copy[400];

	number->type = FXT_JSON_BEYOND;
	if (count >= sizeof(copy))
		return;
	memcpy(copy, text, count);
	copy[count] = 0;
	errno = 0;
	if (strpbrk(copy, ".eE")) {
		number->real = strtod(copy, NULL);
		if (isfinite(number->real))
			number->type = FXT_JSON_DOUBLE;
		return;
	}
	number->integer = strtoll(copy, NULL, 10);
	if (!errno) {
		number->type = FXT_JSON_INT;
		/* An integer can't be -0. */
		if (!number->integer && copy[0] == '-') {
			number->type = FXT_JSON_DOUBLE;
			number->real = -0.0;
		}
		return;
	}
	errno = 0;
	number->natural = strtoull(copy, NULL, 10);
	if (!errno && copy[0] != '-')
		number->type = FXT_JSON_UINT;
}

char *fxt_json_us(char *at, __u64 ns)
{
	at = fxt_digits(at, ns / 1000);
	*at++ = '.';
	return fxt_digits_padded(at, ns % 1000, 3);
}
