/* SPDX-License-Identifier: GPL-2.0-only */
/* The values of counters. */
#ifndef FXT_MODEL_COUNTER_H
#define FXT_MODEL_COUNTER_H

#include "codec/record.h"

/*
 * The value of a counter's argument: a number, or a text of one, as JSON may have it.  false: it has none,
 * or is a field of JSON's event itself ("json.tts"), which is no series of the counter.
 */
bool fxt_counter_value(const struct fxt_arg *arg, double *value);

/* Whether a text is a finite number and nothing else, as readers of JSON take it. */
bool fxt_counter_text(const struct fxt_text *text, double *value);

/* How many of a counter's arguments have one. */
unsigned int fxt_counter_series(const struct fxt_record *r);

/* The last of a counter's records; all zero: there was none. */
struct fxt_counter_part {
	bool full;
	__u64 ns, process, thread, id;
	__u64 name;		/* hash of it and the category */
};

/*
 * An event of JSON may have more series than a record holds: then it is several records of one time, each full but
 * the last.  Returns whether a counter's record continues the last one, which it becomes.
 */
bool fxt_counter_continues(struct fxt_counter_part *last, const struct fxt_record *r);

#endif
