/* SPDX-License-Identifier: GPL-2.0-only */
/* Sizes and durations as users write and read them. */
#ifndef FXT_UTIL_QUANTITY_H
#define FXT_UTIL_QUANTITY_H

#include <stddef.h>

#include <linux/types.h>

/* Reads bytes: "4M", "64k", "1G", "4096".  -EINVAL, -ERANGE. */
int fxt_quantity_bytes(const char *text, __u64 *bytes);

/* Reads a duration in nanoseconds: "5", "1.5s", "200ms", "2m", "1h".  -EINVAL, -ERANGE. */
int fxt_quantity_duration(const char *text, __u64 *ns);

/*
 * Reads a size or a duration that is not 0 and has a unit, "500K", "100M", "2G" or "10s", "5m", "1h"; sets the other
 * one to 0.  "m" is minutes; "k", "g" and "t" are sizes.  -EINVAL, -ERANGE.
 */
int fxt_quantity_limit(const char *text, __u64 *bytes, __u64 *ns);

/* Reads a number below limit (0: any), in digits alone.  -EINVAL, -ERANGE. */
int fxt_quantity_count(const char *text, __u64 limit, __u64 *count);

/* Reads the next number of a list of numbers, as above, and moves text past it. */
int fxt_quantity_number(const char **text, __u64 limit, __u64 *number);

/* Writes "12.3 MB" or "48 bytes"; returns text. */
const char *fxt_quantity_show(char *text, size_t room, __u64 bytes);

#endif
