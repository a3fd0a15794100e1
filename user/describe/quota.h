/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the CPU limits of control groups, and how often the kernel has throttled them. */
#ifndef FXT_DESCRIBE_QUOTA_H
#define FXT_DESCRIBE_QUOTA_H

#include <stdbool.h>
#include <stddef.h>

#include "source/clock.h"
#include "store/map.h"

/* More groups are counted, and not read until others have gone; beyond FXT_QUOTA_KNOWN in all they aren't counted, either. */
#define FXT_QUOTA_GROUPS	1024u
#define FXT_QUOTA_KNOWN		16384u

/* Control groups of described processes, and those above them.  All zero is none. */
struct fxt_quotas {
	struct fxt_map known;	/* by path: the path as a string, and a byte that is 1 once the group has gone */
	const char *read[FXT_QUOTA_GROUPS];	/* in the order in which they came */
	unsigned int count;
};

/* Whether version 1 has the controller "cpu" mounted; if not, version 2 has it. */
bool fxt_quota_legacy(void);

/* Learns a group and those above it: the ones of read[] from its old count on are new.  -ENOMEM. */
int fxt_quotas_learn(struct fxt_quotas *quotas, const char *path);

/* Notes that a group has gone; fxt_quotas_prune() forgets those, and has others read in their place. */
void fxt_quotas_gone(struct fxt_quotas *quotas, const char *path);

/* Returns whether any was forgotten.  -ENOMEM. */
int fxt_quotas_prune(struct fxt_quotas *quotas);

/* How many groups are known and not among those that are read. */
__u64 fxt_quotas_left_out(const struct fxt_quotas *quotas);

void fxt_quotas_uninit(struct fxt_quotas *quotas);

/*
 * Makes an instant event "quota", which the caller frees, of a group that has a limit, or has counted periods of an
 * earlier one.  No bytes for any other, or one that is gone.  -ENOMEM.
 */
int fxt_quota_read(const char *group, enum fxt_linux_clock clock, char **records, size_t *bytes);

/* Whether there is no such group any more. */
bool fxt_quota_is_gone(const char *group);

#endif
