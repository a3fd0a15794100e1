/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording says of where it comes from, and from when to when it has all events. */
#ifndef FXT_MODEL_FACTS_H
#define FXT_MODEL_FACTS_H

#include "codec/record.h"

/* All zero: nothing is known. */
struct fxt_facts {
	__u64 host;		/* a hash of its name; 0: not known */
	__u64 run;		/* likewise, of the id of its kernel's run */
	__u64 clock;		/* likewise, of the clock of its times */
	__u64 timed_by;		/* the host, or ~0, that this clock is of; 0: its own */
	bool booted;		/* boot is known */
	bool processors;	/* its recorder says which CPUs it records */
	bool wakeups;		/* it is one of fxtrec, and has all wakeups */
	bool chosen_threads;	/* only some threads were recorded */
	__s64 boot;		/* ns of real time when CLOCK_BOOTTIME, or else the clock, was 0 */
	/* Readings of its clock; ns. */
	bool read;		/* there are some */
	__u64 first;		/* the earliest: the file before, if any, ends behind it */
	__u64 begin;		/* the last that precedes all scheduling records: none is missing since */
	__u64 last;		/* the latest: none is missing up to there */
};

/* An instant event; scheduled: scheduling records stand before it in the input.  ns: its time. */
void fxt_facts_add(struct fxt_facts *facts, const struct fxt_record *r, __u64 ns, bool scheduled);

/* As host, run and clock have a name. */
__u64 fxt_facts_hash(const char *name, size_t bytes);

/* Whether two recordings may be of one machine, between two starts of it, and by one clock. */
bool fxt_facts_same(const struct fxt_facts *a, const struct fxt_facts *b);

#endif
