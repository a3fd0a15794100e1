/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Losses of CPUs' scheduling events that a conversion adds where its inputs lack events:
 * Documentation/fxt-on-linux.rst.
 */
#ifndef FXT_CONVERT_MISSING_H
#define FXT_CONVERT_MISSING_H

#include "convert/format.h"

/*
 * Puts a loss of a CPU's events, as no event of the CPU is known in (from, to), ns; provider: the sorter's index of the
 * CPU's provider; cause: static.  Returns an error of fxt_reading_put().
 */
int fxt_missing_put(struct fxt_reading *reading, int provider, __u32 cpu, __u64 from, __u64 to, const char *cause);

/*
 * Puts losses on each CPU between the parts of a recording, once all inputs are read.  Returns an error of
 * fxt_reading_put().
 */
int fxt_missing_parts(struct fxt_conversion *c);

#endif
