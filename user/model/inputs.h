/* SPDX-License-Identifier: GPL-2.0-only */
/* The inputs of a conversion: facts about their machines, and the times and CPUs of their records. */
#ifndef FXT_MODEL_INPUTS_H
#define FXT_MODEL_INPUTS_H

#include "model/facts.h"
#include "model/host.h"
#include "model/time_span.h"
#include "util/cpus.h"

/* Most inputs that are distinguished; further inputs count as one. */
#define FXT_INPUTS_MAX	(1u << 18)

struct fxt_trace_input {
	struct fxt_trace_machine {	/* its machines, at least one */
		struct fxt_host_id id;
		struct fxt_facts facts;
	} *machines;
	__u32 machine_count;
	bool ordered;			/* its records with equal times, in microseconds, are in order */
	bool wakeups;			/* it has wakeups */
	bool left;			/* it has scheduling records that are read again in the merge */
	struct fxt_time_span span;	/* time span of its records */
	/* Spans by machine's number, as far as ids show it; NULL: only the first machine. */
	struct fxt_time_span *spans;
	struct fxt_cpus cpus;		/* CPUs that recorded its scheduling */
};

/* All zero is empty. */
struct fxt_inputs {
	struct fxt_trace_input *of;		/* inputs by number */
	__u32 count;
};

/* Starts another input.  0 or -ENOMEM. */
int fxt_inputs_next(struct fxt_inputs *inputs);
void fxt_inputs_uninit(struct fxt_inputs *inputs);

/*
 * Returns the times of the first and the last context switch or wakeup; without any, of the first and last record with
 * a time; else 0.
 */
void fxt_inputs_span(const struct fxt_inputs *inputs, __u64 *first, __u64 *last);

/* Returns an input's machine of a number, a new one if need be; NULL without memory. */
struct fxt_trace_machine *fxt_trace_input_machine(struct fxt_trace_input *input, __u32 number);

/* Adds a recorder's own event, ns, to the facts of the machine of that number.  0 or -ENOMEM. */
int fxt_trace_input_fact_add(struct fxt_trace_input *input, __u32 number, const struct fxt_record *r, __u64 ns);

/*
 * Returns the span of the records of the input's machine of that number, which may be the span of the input itself;
 * NULL without memory.
 */
struct fxt_time_span *fxt_trace_input_span(struct fxt_trace_input *input, __u32 number);

/* Returns the time span of one machine's records, by its index in machines. */
struct fxt_time_span fxt_trace_input_machine_span(const struct fxt_trace_input *input, __u32 machine);

#endif
