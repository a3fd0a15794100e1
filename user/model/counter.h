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

/* How many of a counter's arguments have one. */
unsigned int fxt_counter_series(const struct fxt_record *r);

#endif
