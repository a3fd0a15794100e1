/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Has processes described by threads of its own, so that no process that is stuck keeps the
 * recorder waiting.  Each such process holds one of these threads; the others go on.
 */
#ifndef FXT_DESCRIBE_DESCRIBER_H
#define FXT_DESCRIBE_DESCRIBER_H

#include <stdbool.h>

#include "describe/names.h"
#include "source/idle.h"
#include "util/sink.h"

struct fxt_describer;

/* keep: for later files, until the process is forgotten.  -ENOMEM. */
int fxt_describer_open(struct fxt_describer **describer, bool keep);

/* Doesn't wait for a process.  NULL is allowed. */
void fxt_describer_close(struct fxt_describer *describer);

/*
 * Has every process that was asked for named where it is taken: its user, ~0 if it has ended or is in another user namespace, and whether it has memory
 * for marks (fxtrec/mark.h).
 */
void fxt_describer_watch(struct fxt_describer *describer, void (*found)(void *arg, __u32 pid, __u32 uid, bool marks),
			 void *arg);

/*
 * Asks for the processes that have a new name since the last time, all or those that don't rest from earlier ones, and has the
 * quotas of their control groups (describe/quota.h) read on that clock.  -ENOMEM.
 */
int fxt_describer_ask(struct fxt_describer *describer, struct fxt_names *names, enum fxt_linux_clock clock, bool all);

/* Asks for a reading of all quotas that are known; to be put, or kept until the next repetition.  -ENOMEM. */
int fxt_describer_read(struct fxt_describer *describer);

/* Puts what has been described since the last time; to NULL: it is kept alone.  -errno. */
int fxt_describer_poll(struct fxt_describer *describer, const struct fxt_sink *to);

/*
 * The same until all that was asked for is described, for so long at most, and as long
 * as one process after the other is.  -errno.
 */
int fxt_describer_wait(struct fxt_describer *describer, __u64 longest_ns, const struct fxt_sink *to,
		       struct fxt_idle *idle);

/* Puts what is kept of processes that names knows, and readings; forgets the others.  -errno. */
int fxt_describer_repeat(struct fxt_describer *describer, const struct fxt_names *names,
			 const struct fxt_sink *to, struct fxt_idle *idle);

/*
 * For the tool's section: an instant event "undescribed" of each process that keeps a thread
 * waiting, and of the numbers of those, and of readings of quotas, that were not come to.  -errno.
 */
int fxt_describer_missing(struct fxt_describer *describer, __u64 ticks, const struct fxt_sink *to);

/* What a summary says of these, by the reporter. */
void fxt_describer_report(struct fxt_describer *describer);

#endif
