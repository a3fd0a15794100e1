/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Laps: consecutive windows of equal length, while the machine continues.  A lap becomes
 * complete some time after its end, and is shown and freed then.
 */
#ifndef FXT_ANALYZE_LAPS_H
#define FXT_ANALYZE_LAPS_H

#include "analyze/accounts.h"
#include "analyze/loads.h"
#include "analyze/machine/origin.h"

/* A lap: [from, to). */
struct fxt_lap {
	__u64 from, to;
	__u64 events_to;	/* end of the lap for events */
	struct fxt_accounts accounts;
	struct fxt_load *loads;	/* loads by the CPU's number; cpu NULL: not seen */
	size_t cpu_room;
	struct fxt_map reasons;	/* sums of sleeps; empty unless the laps have reasons */
	struct fxt_lap *newer;
};

struct fxt_reasons;

struct fxt_laps {
	struct fxt_machine *m;
	struct fxt_reasons *reasons;	/* sums of sleeps by lap, set after init; an observer after the laps; NULL: none */
	struct fxt_loads now;		/* loads of the newest lap, without the sums of stretches */
	struct fxt_loads loads;		/* loads of the shown lap */
	struct fxt_origin origin;	/* origin of the shown lap */
	unsigned int slot;		/* index in data[]: a task's newest account, and a CPU's shown load */
	__u64 from, to, length;		/* ns */
	struct fxt_lap *oldest, *newest;	/* laps that aren't complete */
	unsigned int count;
	unsigned int patience;		/* greatest number of such laps */
	struct fxt_task **dead;		/* dead tasks that a lap may still have; with a spill, always empty */
	size_t dead_count, dead_room;
	struct fxt_origin_loss *losses;	/* losses, the newest first */
	/*
	 * Receives a complete lap; its accounts, loads and origin are valid during the call.
	 * Returns 0, or -errno to end the analysis.
	 */
	int (*show)(void *arg, struct fxt_lap *lap);
	void *arg;
};

/*
 * Starts laps of length ns in the machine's window.  patience: number of laps to wait for a
 * lap's unknown time, which becomes "unknown" then.  show and arg are set before.
 */
void fxt_laps_init(struct fxt_laps *laps, struct fxt_machine *m, __u64 length, unsigned int patience);

/* End of the machine while a recording is in progress.  fxt_laps_begin() sets the start of the laps; ~0: not yet. */
#define FXT_LAPS_OPEN	(~0ULL - 1)
void fxt_laps_begin(struct fxt_laps *laps, __u64 ns);
void fxt_laps_uninit(struct fxt_laps *laps);

/* Puts the next record in time order, in place of fxt_machine_put().  Returns 0 or -errno. */
int fxt_laps_put(struct fxt_laps *laps, const struct fxt_record *r);

/* Advances the time to ns without a record, and shows complete laps.  Returns 0 or -errno. */
int fxt_laps_advance(struct fxt_laps *laps, __u64 ns);

/* Ends the laps after the last record.  Returns 0 or -errno. */
int fxt_laps_end(struct fxt_laps *laps);

#endif
