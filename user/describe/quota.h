/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the CPU limits of control groups, and how often the kernel has throttled them. */
#ifndef FXT_DESCRIBE_QUOTA_H
#define FXT_DESCRIBE_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

#include "source/clock.h"
#include "store/map.h"

/*
 * Limits of groups that are read, and that are known.  Groups above the first limit are only counted, and read once
 * others have gone; groups above the second aren't even counted.
 */
#define FXT_QUOTA_GROUPS	1024u
#define FXT_QUOTA_KNOWN		16384u

/* Control groups of described processes, and their parents.  All zero is empty. */
struct fxt_quotas {
	struct fxt_map known;	/* by path: the path as a string, then a byte that is 1 once the group has gone */
	const char *read[FXT_QUOTA_GROUPS];	/* in order of arrival */
	unsigned int count;
};

/* Returns whether version 1 has the controller "cpu" mounted; if not, version 2 has it. */
bool fxt_quota_legacy(void);

/* Adds a group and its parents: entries of read[] from its old count on are new.  -ENOMEM. */
int fxt_quotas_learn(struct fxt_quotas *quotas, const char *path);

/* Notes that a group has gone; fxt_quotas_prune() forgets such groups, and has others read instead. */
void fxt_quotas_gone(struct fxt_quotas *quotas, const char *path);

/* Returns whether any group was forgotten.  -ENOMEM. */
int fxt_quotas_prune(struct fxt_quotas *quotas);

/* Returns how many groups are known but not read. */
__u64 fxt_quotas_left_out(const struct fxt_quotas *quotas);

void fxt_quotas_uninit(struct fxt_quotas *quotas);

/*
 * Makes an instant event "quota", which the caller frees, of a group that has a limit, or has counted periods of an
 * earlier limit.  No bytes for any other group, or one that has gone.  -ENOMEM.
 */
int fxt_quota_read(const char *group, enum fxt_linux_clock clock, char **records, size_t *bytes);

/* Returns whether the group exists no more. */
bool fxt_quota_is_gone(const char *group);

#endif
