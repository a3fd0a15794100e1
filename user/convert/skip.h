/* SPDX-License-Identifier: GPL-2.0-only */
/* What readers pass over: one rule for all of them. */
#ifndef FXT_CONVERT_SKIP_H
#define FXT_CONVERT_SKIP_H

#include "convert/format.h"

/* Counts what is read and has no equivalent, at the conversion's place. */
void fxt_skip(struct fxt_conversion *conversion, const char *kind, __u64 count);

/* The same of a kind with a number: format, a literal, has one %u. */
void fxt_skip_number(struct fxt_conversion *conversion, const char *format, unsigned int number, __u64 count);

/* Counts a kind with a name, a literal, in the same way: format has one %s. */
void fxt_skip_named(struct fxt_conversion *conversion, const char *format, const char *name, __u64 count);

/*
 * Passes over a flaw at the conversion's place: 0, and it is counted by its kind.  In a strict
 * conversion it is an error: -EBADMSG with the error set to the place and what.
 */
int fxt_flaw(struct fxt_conversion *conversion, const struct fxt_flaw *flaw);

/* Sets the error to the conversion's place and a text; returns -error_number. */
int fxt_flaw_error(struct fxt_conversion *conversion, int error_number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* An input begins; and its end: 0, or -EBADMSG with the error set where there were flaws and nothing else. */
void fxt_flaw_begin(struct fxt_conversion *conversion, const char *input);
int fxt_flaw_end(struct fxt_conversion *conversion);

#endif
