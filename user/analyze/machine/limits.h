/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU limits of control groups, from the recorder's readings of the kernel's throttling counts. */
#ifndef FXT_ANALYZE_MACHINE_LIMITS_H
#define FXT_ANALYZE_MACHINE_LIMITS_H

#include "codec/record.h"
#include "store/map.h"

/* Counts since the group's creation. */
struct fxt_limit_reading {
	__u64 ns;		/* time of the reading */
	__u64 periods, throttled, throttled_ns;
};

struct fxt_limit {
	struct fxt_limit *next;
	char *group;
	struct fxt_limit_reading first, last;
};

/* The limits of all groups; all zero: none. */
struct fxt_limits {
	struct fxt_limit *first, *newest;	/* list in the order of the first records */
	struct fxt_map groups;	/* by name: the name, followed by a pointer to the limit */
};

/* Reads an event "quota".  Returns 0 or -ENOMEM. */
int fxt_limits_event(struct fxt_limits *limits, const struct fxt_record *r);

/* Returns whether the group was throttled between its readings; sets the counts of that time. */
bool fxt_limit_throttled(const struct fxt_limit *limit, struct fxt_limit_reading *between);

/*
 * Returns the group that throttled a process of a group: the nearest one above it, or itself, that was throttled; else the
 * only one that was, as hierarchies of version 1 have paths of their own.  NULL: not known.
 */
const char *fxt_limits_group(const struct fxt_limits *limits, const char *path);

void fxt_limits_uninit(struct fxt_limits *limits);

#endif
