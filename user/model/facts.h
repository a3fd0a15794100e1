/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts that a recording reports about its machine and clock, and the time that its events cover completely. */
#ifndef FXT_MODEL_FACTS_H
#define FXT_MODEL_FACTS_H

#include "codec/record.h"

/* Facts of a recording; all zero: nothing is known. */
struct fxt_facts {
	__u64 host;		/* hash of the host's name; 0: not known */
	__u64 run;		/* hash of the id of the kernel's run; 0: not known */
	__u64 clock;		/* hash of the name of the clock; 0: not known */
	__u64 timed_by;		/* host, or ~0, with the clock of this recording's times; 0: its own clock */
	bool booted;		/* boot is known */
	bool processors;	/* recorder lists the CPUs that it records */
	bool wakeups;		/* recording is fxtrec's, and has all wakeups */
	bool chosen_threads;	/* only some threads were recorded */
	__s64 boot;		/* ns of real time when CLOCK_BOOTTIME (or else the clock) was 0 */
	/* Readings of the clock; ns. */
	bool read;		/* there is a reading */
	__u64 first;		/* earliest reading: an earlier file of the recording, if any, ends after it */
	__u64 begin;		/* last reading before all scheduling records: no event is missing since */
	__u64 last;		/* latest reading: no event is missing before it */
};

/* Adds a record.  scheduled: a scheduling record precedes it in the input.  ns: its time. */
void fxt_facts_add(struct fxt_facts *facts, const struct fxt_record *r, __u64 ns, bool scheduled);

/* Returns the hash of a name for host, run or clock. */
__u64 fxt_facts_hash(const char *name, size_t bytes);

/* Returns whether two recordings may be from one machine, between two of its starts, and by one clock. */
bool fxt_facts_same(const struct fxt_facts *a, const struct fxt_facts *b);

#endif
