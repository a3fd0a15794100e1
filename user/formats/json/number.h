/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of JSON: without loss to and from text. */
#ifndef FXT_CONVERT_JSON_NUMBER_H
#define FXT_CONVERT_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Latest time that all readers take: they count in signed 64 bits. */
#define FXT_JSON_NS_MAX		0x7fffffffffffffffULL

/* Whether a text is a number as JSON has it. */
bool fxt_json_number_is(const char *text, size_t count);

struct fxt_json_time {
	__u64 ns;		/* the amount */
	bool negative;
	bool cut;		/* it is more than FXT_JSON_NS_MAX, which ns is */
};

/* Microseconds as decimal text, rounded to nanoseconds; -EINVAL where it is no number. */
int fxt_json_time_parse(struct fxt_json_time *time, const char *text, size_t count);

enum fxt_json_number_type { FXT_JSON_INT, FXT_JSON_UINT, FXT_JSON_DOUBLE, FXT_JSON_BEYOND };

struct fxt_json_number {
	enum fxt_json_number_type type;	/* UINT: past INT64_MAX; BEYOND: past all of them */
	__s64 integer;
	__u64 natural;
	double real;
};

/* Of a number's text as JSON has it. */
void fxt_json_number_parse(struct fxt_json_number *number, const char *text, size_t count);

/* Microseconds with three decimals; room for 24. */
char *fxt_json_us(char *at, __u64 ns);

#endif
