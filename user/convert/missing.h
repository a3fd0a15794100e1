/* SPDX-License-Identifier: GPL-2.0-only */
/* Losses that a conversion adds, of CPUs' scheduling events that its inputs lack: Documentation/fxt-on-linux.rst. */
#ifndef FXT_CONVERT_MISSING_H
#define FXT_CONVERT_MISSING_H

#include "convert/format.h"

/*
 * A loss of a CPU's events, none of which is known to lie in (from, to), ns; provider: the sorter's index of
 * its; cause: static.  What fxt_sorter_put() fails with.
 */
int fxt_missing_put(struct fxt_sorter *sorter, int provider, __u32 cpu, __u64 from, __u64 to, const char *cause);

/* Once all inputs are read: what is between the parts of a recording is lost on each CPU.  As above. */
int fxt_missing_parts(struct fxt_conversion *c);

#endif
