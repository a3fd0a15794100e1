/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts the contents of a file, without input and output. */
#ifndef FXT_MODEL_SUMMARY_H
#define FXT_MODEL_SUMMARY_H

#include "codec/objects.h"
#include "codec/provider.h"
#include "codec/record.h"
#include "fxt/wire.h"
#include "model/loss.h"
#include "model/ending.h"
#include "model/uncounted.h"

#define FXT_SUMMARY_CPUS	0x10000u	/* CPU numbers that a header can hold */

/* Counts by CPU: of records that name the CPU, and of records that were lost there. */
struct fxt_summary_cpu {
	__u64 switches;		/* context switches, including legacy ones */
	__u64 wakeups;		/* wakeups with this CPU as the target */
	__u64 lost[FXT_LOST_CAUSES];
};

struct fxt_summary_provider {
	const struct fxt_provider *provider;
	__u64 records;
	__u64 bytes;
	struct fxt_summary_provider *next;	/* next provider in order of appearance */
};

/* The recorded machine, and the recorder's command; "" or 0: not known. */
struct fxt_summary_host {
	char name[65];
	char machine[65];
	char model[128];	/* model of the processors */
	char command[1001];	/* the recorder's command line */
	__u64 memory;		/* bytes */
	unsigned int processors;
};

struct fxt_summary {
	__u64 records;
	__u64 bytes;
	__u64 kinds[FXT_KINDS];
	__u64 events[FXT_EVENT_FLOW_END + 1];
	__u64 wakeups_new;	/* wakeups with argument "event" of sched_wakeup_new */
	__u64 wakeups_on_cpu;	/* wakeups of threads that hadn't left their CPU yet */
	__u64 wakeups_in_interrupts;	/* wakeups by interrupts */
	__u64 migrations;
	__u64 scheduling_bytes;
	bool timed;		/* first_ns and last_ns are set */
	__u64 first_ns;
	__u64 last_ns;
	__u64 ticks_per_second;	/* rate of the first record with a time; 0: no such record */
	__u64 threads;		/* threads that any record names */
	__u64 threads_scheduled;
	__u64 threads_unnamed;	/* scheduled threads without a name; set by fxt_summary_end() */
	__u64 processes;
	__u64 lost[FXT_LOST_CAUSES];	/* records lost on any CPU, or on an unknown one */
	struct fxt_uncounted uncounted;
	struct fxt_ending ending;	/* ending of the whole file, including skipped records */
	char clock[16];		/* "" if not known, like backend and release */
	char backend[16];
	char release[80];
	struct fxt_summary_host host;
	struct fxt_summary_cpu *cpus;
	struct fxt_map providers_by;	/* counts by the address of their provider */
	struct fxt_summary_provider *providers;
	struct fxt_summary_provider **providers_end;
	struct fxt_summary_provider *provider;	/* provider of the last record, or NULL */
	struct fxt_objects objects;
};

/* Initializes a summary that allocates from a spill, or from the heap if spill is NULL.  Returns 0 or -ENOMEM. */
int fxt_summary_init(struct fxt_summary *summary, struct fxt_spill *spill);
void fxt_summary_uninit(struct fxt_summary *summary);

/* Counts a record, which must have a decoder that outlives the summary.  Returns 0, -ENOMEM or -E2BIG. */
int fxt_summary_add(struct fxt_summary *summary, const struct fxt_record *r);

/* Reads facts about the machine and the recorder from a record, without counting it. */
void fxt_summary_skip(struct fxt_summary *summary, const struct fxt_record *r);

/* Completes the counts after the last record. */
void fxt_summary_end(struct fxt_summary *summary);

/* Returns the number of scheduling records and migrations. */
__u64 fxt_summary_scheduling(const struct fxt_summary *summary);

/* Returns whether any record names a CPU, or was lost there. */
bool fxt_summary_cpu_seen(const struct fxt_summary *summary, unsigned int cpu);

#endif
