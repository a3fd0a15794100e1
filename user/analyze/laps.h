/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Laps: windows of one length that follow each other, while the machine goes on.  What each thread
 * and CPU did in one is complete some time after its end, and is given back then.
 */
#ifndef FXT_ANALYZE_LAPS_H
#define FXT_ANALYZE_LAPS_H

#include "analyze/accounts.h"
#include "analyze/loads.h"
#include "analyze/machine/origin.h"

/* One of them: [from, to). */
struct fxt_lap {
	__u64 from, to;
	__u64 events_to;	/* those before count */
	struct fxt_accounts accounts;
	struct fxt_load *loads;	/* by the CPU's number; cpu NULL: not heard of */
	size_t cpu_room;
	struct fxt_lap *newer;
};

struct fxt_laps {
	struct fxt_machine *m;
	struct fxt_loads now;		/* of the newest one, but for what stretches add */
	struct fxt_loads loads;		/* of the one that is shown */
	struct fxt_origin origin;	/* likewise */
	unsigned int slot;		/* of data[]: a task's newest account; a CPU's load that is shown */
	__u64 from, to, length;		/* ns */
	struct fxt_lap *oldest, *newest;	/* those that aren't complete */
	unsigned int count;
	unsigned int patience;		/* so many of them at most */
	struct fxt_task **dead;		/* that a lap may have still; none with a spill */
	size_t dead_count, dead_room;
	struct fxt_origin_loss *losses;	/* the newest first */
	/* One is complete: its accounts, and loads and origin, are valid in the call.  0 or -errno, which ends all. */
	int (*show)(void *arg, struct fxt_lap *lap);
	void *arg;
};

/*
 * Laps of length ns of the machine's window.  patience: what a lap can't tell yet is waited for
 * so many laps, and is "unknown" then.  show and arg are set before.
 */
void fxt_laps_init(struct fxt_laps *laps, struct fxt_machine *m, __u64 length, unsigned int patience);

/* The machine's end while a recording goes on; the laps begin then, ~0: not yet. */
#define FXT_LAPS_OPEN	(~0ULL - 1)
void fxt_laps_begin(struct fxt_laps *laps, __u64 ns);
void fxt_laps_uninit(struct fxt_laps *laps);

/* The next record in time order, instead of fxt_machine_put().  0 or -errno. */
int fxt_laps_put(struct fxt_laps *laps, const struct fxt_record *r);

/* It is so late, though no record may say so.  Shows what is complete. */
int fxt_laps_advance(struct fxt_laps *laps, __u64 ns);

/* After the last record. */
int fxt_laps_end(struct fxt_laps *laps);

#endif
