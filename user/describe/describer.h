/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Has processes described by threads of its own, so that a stuck process doesn't block the recorder.  Each stuck
 * process occupies one of these threads; the others continue.
 */
#ifndef FXT_DESCRIBE_DESCRIBER_H
#define FXT_DESCRIBE_DESCRIBER_H

#include <stdbool.h>

#include "describe/names.h"
#include "source/idle.h"
#include "util/sink.h"

struct fxt_describer;

/* Opens a describer.  keep: descriptions are kept for later files, until the process is forgotten.  -ENOMEM. */
int fxt_describer_open(struct fxt_describer **describer, bool keep);

/* Closes a describer without waiting for a process.  NULL is allowed. */
void fxt_describer_close(struct fxt_describer *describer);

/*
 * Has found() called for every process that was asked for: with its user, ~0 if it has ended or is in another user
 * namespace, and whether it has memory for marks (fxtrec/mark.h).
 */
void fxt_describer_watch(struct fxt_describer *describer, void (*found)(void *arg, __u32 pid, __u32 uid, bool marks),
			 void *arg);

/*
 * Asks for the processes that have a new name since the last call: all, or only those that don't rest after earlier
 * names.  Has the quotas of their control groups (describe/quota.h) read on that clock.  -ENOMEM.
 */
int fxt_describer_ask(struct fxt_describer *describer, struct fxt_names *names, enum fxt_linux_clock clock, bool all);

/* Asks for a reading of all known quotas, which is put, or kept until the next repetition.  -ENOMEM. */
int fxt_describer_read(struct fxt_describer *describer);

/*
 * Has the objects of all processes named (describe/objects.h) like a reading of quotas; with all false, those of each
 * process once it is described from now on.
 */
void fxt_describer_objects(struct fxt_describer *describer, bool all);

/* Puts the descriptions that arrived since the last call; with NULL, only keeps them.  -errno. */
int fxt_describer_poll(struct fxt_describer *describer, const struct fxt_sink *to);

/*
 * Does the same until all requested processes are described, for longest_ns at most, and only as long as descriptions
 * arrive.  -errno.
 */
int fxt_describer_wait(struct fxt_describer *describer, __u64 longest_ns, const struct fxt_sink *to,
		       struct fxt_idle *idle);

/* Puts the kept descriptions of processes that names knows, and the kept readings; forgets the others.  -errno. */
int fxt_describer_repeat(struct fxt_describer *describer, const struct fxt_names *names,
			 const struct fxt_sink *to, struct fxt_idle *idle);

/*
 * Puts, for the tool's section, an instant event "undescribed" for each process that a thread is stuck with, with the
 * number of processes and readings of quotas that no thread reached, and of processes with objects that were not read.
 * -errno.
 */
int fxt_describer_missing(struct fxt_describer *describer, __u64 ticks, const struct fxt_sink *to);

/* Reports undescribed processes for the summary. */
void fxt_describer_report(struct fxt_describer *describer);

#endif
