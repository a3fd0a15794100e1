/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorts the records of a conversion by time, in bounded memory. */
#ifndef FXT_STREAM_SORTER_H
#define FXT_STREAM_SORTER_H

#include "codec/encode.h"
#include "codec/provider.h"
#include "model/host.h"
#include "stream/kept.h"
#include "stream/run.h"
#include "stream/reread.h"
#include "model/facts.h"
#include "model/time_span.h"

/* Most inputs that are distinguished; further inputs count as one. */
#define FXT_SORTER_INPUTS_MAX	(1u << (64 - FXT_ENTRY_INPUT_SHIFT))

/* Facts about an input. */
struct fxt_sorter_input {
	__u32 host;			/* number of the machine: model/host.h */
	struct fxt_sorter_host {	/* of a file of several machines: the machines after its first */
		struct fxt_host_id id;
		struct fxt_facts facts;
	} *hosts;
	__u32 host_count;
	bool ordered;			/* its records with equal times, in microseconds, are in order */
	struct fxt_time_span span;	/* time span of the records that were put */
	/* Spans by machine's number, as far as ids show it; NULL: only the first machine. */
	struct fxt_time_span *spans;
	struct fxt_cpus cpus;		/* CPUs that recorded its scheduling */
	bool wakeups;			/* it has wakeups, also in its streams */
	struct fxt_facts facts;		/* facts of the first machine */
};

/*
 * A sorter.  Records are kept as FXT, with one string table for all of them and ticks of a nanosecond.  Records that
 * exceed the memory are sorted and written to an unnamed file.  Records that are in order in the input stay there, as
 * streams.
 */
struct fxt_sorter {
	struct fxt_merge_source memory;		/* the keys, as a source; the first member */
	struct fxt_spill *spill;	/* memory of tables, and the limit of files */
	struct fxt_entry_tables tables;
	struct fxt_map names;		/* providers, by the hash of their name */
	struct fxt_map ids;		/* the first provider with each id */
	struct fxt_words words;		/* entries of the current run */
	struct fxt_keys keys;
	__u64 put_count;
	__u64 cut;		/* number of texts that were too long for a record, since a reader started */
	bool sched_only;		/* readers skip events of forms */
	__u64 passed;			/* number of skipped events */
	bool views;			/* only the views of migrations are read, where they have one */
	struct fxt_known known;
	struct fxt_sorter_input *inputs;	/* inputs by number; at least one */
	size_t input_count;
	__u64 streamed;			/* number of records in streams of the earlier inputs */
	size_t run_bytes;		/* largest run in memory */
	struct fxt_runs runs;
	struct fxt_streams streams;
	struct fxt_merge merge;
	struct fxt_host_id host;	/* host of the records */
	/* NULL, or called with each of the recorder's own events, before it is put: 0 or -errno. */
	int (*watch)(void *arg, const struct fxt_record *r);
	void *watch_arg;
	struct fxt_record mapped;
	char name[FXT_STRING_BYTES_MAX];
	size_t key_at;			/* index of the next key in the merge */
};

/*
 * Sets up a sorter.  memory: bytes of records that are kept at a time; spill: memory of the tables.  Returns 0 or
 * -ENOMEM.
 */
int fxt_sorter_init(struct fxt_sorter *sorter, size_t memory, struct fxt_spill *spill);
void fxt_sorter_uninit(struct fxt_sorter *sorter);

/* Starts another input for the next records.  0 or -ENOMEM. */
int fxt_sorter_input_next(struct fxt_sorter *sorter);

/* Returns the number of the current input, from 0, which its records have. */
static inline __u32 fxt_sorter_input(const struct fxt_sorter *sorter)
{
	return sorter->input_count - 1;
}

/* Notes that the current input has a wakeup. */
static inline void fxt_sorter_wakeup(struct fxt_sorter *sorter)
{
	sorter->inputs[fxt_sorter_input(sorter)].wakeups = true;
}

/* Returns the index of a provider by its name, a new one if need be; -ENOMEM, -E2BIG. */
int fxt_sorter_provider(struct fxt_sorter *sorter, const char *name, size_t bytes);

/* Return the provider of an index, or of an id, or NULL. */
const struct fxt_provider *fxt_sorter_provider_at(const struct fxt_sorter *sorter, int index);
const struct fxt_provider *fxt_sorter_provider_of(const struct fxt_sorter *sorter, __u32 id);

/*
 * Puts a record with ticks in nanoseconds; ns is its time; it comes after earlier puts with the same time.  0; an error
 * of fxt_encode(); -errno of the file.
 */
int fxt_sorter_put(struct fxt_sorter *sorter, const struct fxt_record *r, __u64 ns, int provider);

/* Puts a context switch or a wakeup in brief: it is read as a record with a view. */
int fxt_sorter_put_view(struct fxt_sorter *sorter, enum fxt_kind kind,
			const union fxt_sched_view *view, __u64 ns, int provider);

/* Puts an event of a form, of the first machine only: its ids stay as they are. */
int fxt_sorter_put_formed(struct fxt_sorter *sorter, const struct fxt_formed *event, __u64 ns, int provider);

/* Counts an event of a form that is not put, as only its time is needed. */
static inline void fxt_sorter_pass(struct fxt_sorter *sorter, __u64 ns)
{
	fxt_times_add(&sorter->inputs[fxt_sorter_input(sorter)].span.others, ns);
	sorter->passed++;
}

/* Leaves most of the sorter's memory to the reader, from now on.  0; -errno of the file. */
int fxt_sorter_yield(struct fxt_sorter *sorter);

/* Returns the number of records that were put. */
__u64 fxt_sorter_count(const struct fxt_sorter *sorter);

/*
 * Returns the times of the first and the last context switch or wakeup; without any, of the first and last record with
 * a time; else 0.
 */
void fxt_sorter_span(const struct fxt_sorter *sorter, __u64 *first, __u64 *last);

/* Returns the time span of an input's records. */
struct fxt_time_span fxt_sorter_input_span(const struct fxt_sorter *sorter, __u32 input);

/* Returns the time span of one machine's records: machine 0 is the input's first; machine n is hosts[n - 1]. */
struct fxt_time_span fxt_sorter_host_span(const struct fxt_sorter *sorter, __u32 input, __u32 machine);

/* Adds the CPUs that recorded an input's scheduling to the set. */
void fxt_sorter_input_cpus(const struct fxt_sorter *s, __u32 input, struct fxt_cpus *cpus);

/* Sorts the records; no further record can be put. */
int fxt_sorter_sort(struct fxt_sorter *sorter);

/* Returns whether an input's records with equal times, in microseconds, are in order. */
static inline bool fxt_sorter_input_ordered(const struct fxt_sorter *sorter, __u32 input)
{
	return sorter->inputs[input].ordered;
}

/*
 * Reads the next record in time order.  Its provider is one of the sorter's, its offset the ns that it was put with.
 * Returns 1; 0 at the end; -errno of the file.
 */
static inline int fxt_sorter_next(struct fxt_sorter *sorter, struct fxt_record *r)
{
	return fxt_merge_next(&sorter->merge, r);
}

/*
 * Reads the next record in brief, where it is a scheduling record of the same provider as the last, and was read ahead.
 * Returns NULL where fxt_sorter_next() has to read it.
 */
static inline const struct fxt_brief *fxt_sorter_next_brief(struct fxt_sorter *sorter)
{
	return fxt_merge_goes_on(&sorter->merge) ? ++sorter->merge.current->brief : NULL;
}

#endif
