/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of JSON, without loss to and from text. */
#ifndef FXT_CONVERT_JSON_NUMBER_H
#define FXT_CONVERT_JSON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/* Latest time that all readers accept: they count in signed 64 bits. */
#define FXT_JSON_NS_MAX		0x7fffffffffffffffULL

/* Returns whether a text is a number as JSON defines it. */
bool fxt_json_number_is(const char *text, size_t count);

struct fxt_json_time {
	__u64 ns;		/* absolute value */
	bool negative;
	bool cut;		/* the value is above FXT_JSON_NS_MAX; ns is FXT_JSON_NS_MAX */
};

/* Parses microseconds as decimal text, and rounds them to nanoseconds; -EINVAL where the text is not a number. */
int fxt_json_time_parse(struct fxt_json_time *time, const char *text, size_t count);

enum fxt_json_number_type { FXT_JSON_INT, FXT_JSON_UINT, FXT_JSON_DOUBLE, FXT_JSON_BEYOND };

struct fxt_json_number {
	enum fxt_json_number_type type;	/* UINT: above INT64_MAX; BEYOND: too large for all others */
	__s64 integer;
	__u64 natural;
	double real;
};

/* Parses the text of a JSON number. */
void fxt_json_number_parse(struct fxt_json_number *number, const char *text, size_t count);

/* Writes microseconds with three decimals; to needs 24 bytes. */
char *fxt_json_us(char *at, __u64 ns);

#endif
