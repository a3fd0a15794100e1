/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the values of counters. */
#ifndef FXT_MODEL_COUNTER_H
#define FXT_MODEL_COUNTER_H

#include "codec/record.h"

/*
 * Reads the value of a counter's argument: a number, or (from JSON) the text of a number.  Returns false
 * if it has no value, or is a field of JSON's event itself ("json.tts") and not a series of the counter.
 */
bool fxt_counter_value(const struct fxt_arg *arg, double *value);

/* Returns whether a text is exactly one finite number, as readers of JSON accept it. */
bool fxt_counter_text(const struct fxt_text *text, double *value);

/* Returns the number of a counter's arguments that have a value. */
unsigned int fxt_counter_series(const struct fxt_record *r);

/* The last record of a counter; all zero: none so far. */
struct fxt_counter_part {
	bool full;
	__u64 ns, process, thread, id;
	__u64 name;		/* hash of the name and the category */
};

/*
 * Returns whether a counter's record continues the last one, and makes it the last one.  An event of JSON
 * with more series than a record holds becomes several records of the same time, all full except the last.
 */
bool fxt_counter_continues(struct fxt_counter_part *last, const struct fxt_record *r);

#endif
