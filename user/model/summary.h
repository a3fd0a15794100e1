/* SPDX-License-Identifier: GPL-2.0-only */
/* What a file holds, in numbers: no input, no output. */
#ifndef FXT_MODEL_SUMMARY_H
#define FXT_MODEL_SUMMARY_H

#include "codec/objects.h"
#include "codec/provider.h"
#include "codec/record.h"
#include "fxt/wire.h"
#include "model/loss.h"
#include "model/ending.h"
#include "model/uncounted.h"

#define FXT_SUMMARY_CPUS	0x10000u	/* as many as a header can number */

/* Counts by CPU number: of records that name the CPU, and of records lost there. */
struct fxt_summary_cpu {
	__u64 switches;		/* legacy ones too */
	__u64 wakeups;		/* of threads that it was the target for, by their record */
	__u64 lost[FXT_LOST_CAUSES];
};

struct fxt_summary_provider {
	const struct fxt_provider *provider;
	__u64 records;
	__u64 bytes;
	struct fxt_summary_provider *next;	/* in the order of appearance */
};

/* The recorded machine, and how it was recorded; "" and 0 where not known. */
struct fxt_summary_host {
	char name[65];
	char machine[65];
	char model[128];	/* of the processors */
	char command[1001];	/* the recorder's command line */
	__u64 memory;		/* bytes */
	unsigned int processors;
};

struct fxt_summary {
	__u64 records;
	__u64 bytes;
	__u64 kinds[FXT_KINDS];
	__u64 events[FXT_EVENT_FLOW_END + 1];
	__u64 wakeups_new;	/* argument "event" is sched_wakeup_new */
	__u64 wakeups_on_cpu;	/* of threads that hadn't left their CPU yet */
	__u64 wakeups_in_interrupts;	/* by what a task was interrupted by */
	__u64 migrations;
	__u64 scheduling_bytes;
	bool timed;		/* the next two hold */
	__u64 first_ns;
	__u64 last_ns;
	__u64 ticks_per_second;	/* of the first record that has a time; 0: none has */
	__u64 threads;		/* that any record names */
	__u64 threads_scheduled;
	__u64 threads_unnamed;	/* of those scheduled; set by fxt_summary_end() */
	__u64 processes;
	__u64 lost[FXT_LOST_CAUSES];	/* on all CPUs and on none known */
	struct fxt_uncounted uncounted;
	struct fxt_ending ending;	/* of the whole file, whatever is skipped */
	char clock[16];		/* "" where not known, as all three */
	char backend[16];
	char release[80];
	struct fxt_summary_host host;
	struct fxt_summary_cpu *cpus;
	struct fxt_map providers_by;	/* by the address of theirs */
	struct fxt_summary_provider *providers;
	struct fxt_summary_provider **providers_end;
	struct fxt_summary_provider *provider;	/* of the last record, or NULL */
	struct fxt_objects objects;
};

/* All zero but for what it allocates, of a spill, or of the heap where that is NULL; -ENOMEM. */
int fxt_summary_init(struct fxt_summary *summary, struct fxt_spill *spill);
void fxt_summary_uninit(struct fxt_summary *summary);

/* Counts a record; its decoder must outlive the summary.  -ENOMEM, -E2BIG. */
int fxt_summary_add(struct fxt_summary *summary, const struct fxt_record *r);

/* Doesn't count a record, but notes what it says of the machine and the recorder. */
void fxt_summary_skip(struct fxt_summary *summary, const struct fxt_record *r);

/* After the last record. */
void fxt_summary_end(struct fxt_summary *summary);

/* Scheduling records and migrations. */
__u64 fxt_summary_scheduling(const struct fxt_summary *summary);

/* Whether any record names a CPU, or was lost there. */
bool fxt_summary_cpu_seen(const struct fxt_summary *summary, unsigned int cpu);

#endif
