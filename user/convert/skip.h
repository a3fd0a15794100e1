/* SPDX-License-Identifier: GPL-2.0-only */
/* Handling of data that readers skip: one rule for all readers. */
#ifndef FXT_CONVERT_SKIP_H
#define FXT_CONVERT_SKIP_H

#include "convert/format.h"

/* Counts data that was read and has no equivalent, at the conversion's position. */
void fxt_skip(struct fxt_conversion *conversion, const char *kind, __u64 count);

/* Counts a kind with a number in the same way: format, a literal, has one %u. */
void fxt_skip_number(struct fxt_conversion *conversion, const char *format, unsigned int number, __u64 count);

/* Counts a kind with a name, a literal, in the same way: format has one %s. */
void fxt_skip_named(struct fxt_conversion *conversion, const char *format, const char *name, __u64 count);

/*
 * Skips a flaw at the conversion's position: counts it by its kind, and returns 0.  In a strict conversion it is an
 * error: -EBADMSG with the error set to the position and the description.
 */
int fxt_flaw(struct fxt_conversion *conversion, const struct fxt_flaw *flaw);

/* Sets the error to the conversion's position and a text; returns -error_number. */
int fxt_flaw_error(struct fxt_conversion *conversion, int error_number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Start an input; end it: 0, or -EBADMSG with the error set where the input had flaws and nothing else. */
void fxt_flaw_begin(struct fxt_conversion *conversion, const char *input);
int fxt_flaw_end(struct fxt_conversion *conversion);

#endif
