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

/* So many inputs are told apart; those beyond are one. */
#define FXT_SORTER_INPUTS_MAX	(1u << (64 - FXT_ENTRY_INPUT_SHIFT))

/* What an input says of itself. */
struct fxt_sorter_input {
	__u32 host;			/* the machine's number: model/host.h */
	struct fxt_sorter_host {	/* of a file of several machines: those behind its first */
		struct fxt_host_id id;
		struct fxt_facts facts;
	} *hosts;
	__u32 host_count;
	bool ordered;			/* its records of one time, a microsecond, are in order */
	struct fxt_time_span span;	/* of what was put */
	struct fxt_time_span *spans;	/* by machine's number, so far as their ids say; NULL: the first one's alone */
	struct fxt_cpus cpus;		/* that recorded scheduling of it */
	bool wakeups;			/* it has some, also in its streams */
	struct fxt_facts facts;		/* of the first machine */
};

/*
 * Records are kept as FXT, with one string table for all of them and ticks of a
 * nanosecond.  What exceeds the memory is sorted and written to a file without a
 * name.  Records that are in order in the input stay there, as streams.
 */
struct fxt_sorter {
	struct fxt_merge_source memory;		/* the keys, as a source; the first member */
	struct fxt_spill *spill;	/* memory of tables, with the files that it shares */
	struct fxt_entry_tables tables;
	struct fxt_map names;		/* of providers, by their hash */
	struct fxt_map ids;		/* of providers: the first one with each */
	struct fxt_words words;		/* entries of the run that is filled */
	struct fxt_keys keys;
	__u64 put_count;
	__u64 cut;		/* texts that were too long for a record, since a reader began */
	bool sched_only;		/* readers pass over events of forms */
	__u64 passed;			/* so many */
	bool views;			/* of migrations only the views are read, where they have one */
	struct fxt_known known;
	struct fxt_sorter_input *inputs;	/* by number; there is one at least */
	size_t input_count;
	__u64 streamed;			/* records of streams, of the inputs before */
	size_t run_bytes;		/* what a run may take in memory */
	struct fxt_runs runs;
	struct fxt_streams streams;
	struct fxt_merge merge;
	struct fxt_host_id host;	/* that the records are of */
	/* NULL, or called with each of the recorder's own events, before it is put: 0 or -errno. */
	int (*watch)(void *arg, const struct fxt_record *r);
	void *watch_arg;
	struct fxt_record mapped;
	char name[FXT_STRING_BYTES_MAX];
	size_t key_at;			/* the first key that the merge has not come to */
};

/* memory: bytes of records that are kept at a time; spill: of the tables.  Returns 0 or -ENOMEM. */
int fxt_sorter_init(struct fxt_sorter *sorter, size_t memory, struct fxt_spill *spill);
void fxt_sorter_uninit(struct fxt_sorter *sorter);

/* What is put from now on is of another input.  0 or -ENOMEM. */
int fxt_sorter_input_next(struct fxt_sorter *sorter);

/* The number of the current one, from 0; records have it. */
static inline __u32 fxt_sorter_input(const struct fxt_sorter *sorter)
{
	return sorter->input_count - 1;
}

/* The current one has a wakeup. */
static inline void fxt_sorter_wakeup(struct fxt_sorter *sorter)
{
	sorter->inputs[fxt_sorter_input(sorter)].wakeups = true;
}

/* The index of a provider by its name, a new one if need be; -ENOMEM, -E2BIG. */
int fxt_sorter_provider(struct fxt_sorter *sorter, const char *name, size_t bytes);

/* The provider of an index, and the one of an id, or NULL. */
const struct fxt_provider *fxt_sorter_provider_at(const struct fxt_sorter *sorter, int index);
const struct fxt_provider *fxt_sorter_provider_of(const struct fxt_sorter *sorter, __u32 id);

/*
 * Puts a record with ticks in nanoseconds; ns is its time, at which it comes
 * after those that were put before.  0; what fxt_encode() fails with; -errno of the file.
 */
int fxt_sorter_put(struct fxt_sorter *sorter, const struct fxt_record *r, __u64 ns, int provider);

/* Puts a context switch or a wakeup in brief: it comes out as a record with a view. */
int fxt_sorter_put_view(struct fxt_sorter *sorter, enum fxt_kind kind,
			const union fxt_sched_view *view, __u64 ns, int provider);

/* Puts an event of a form.  Not of another machine than the first: its ids stay as they are. */
int fxt_sorter_put_formed(struct fxt_sorter *sorter, const struct fxt_formed *event, __u64 ns, int provider);

/* In place of such an event, of which only the time counts. */
static inline void fxt_sorter_pass(struct fxt_sorter *sorter, __u64 ns)
{
	fxt_times_add(&sorter->inputs[fxt_sorter_input(sorter)].span.others, ns);
	sorter->passed++;
}

/* Leaves most of its memory to the reader, from now on.  0; -errno of the file. */
int fxt_sorter_yield(struct fxt_sorter *sorter);

/* How many records were put. */
__u64 fxt_sorter_count(const struct fxt_sorter *sorter);

/*
 * The times of the first and the last context switch or wakeup; where there is none, of the
 * first and last record that has a time; 0 where none has.
 */
void fxt_sorter_span(const struct fxt_sorter *sorter, __u64 *first, __u64 *last);

/* The times of an input's records. */
struct fxt_time_span fxt_sorter_input_span(const struct fxt_sorter *sorter, __u32 input);

/* The times of those of one of its machines: 0, the first, or the one so far behind it in hosts. */
struct fxt_time_span fxt_sorter_host_span(const struct fxt_sorter *sorter, __u32 input, __u32 machine);

/* Adds the CPUs that recorded an input's scheduling to the set. */
void fxt_sorter_input_cpus(const struct fxt_sorter *s, __u32 input, struct fxt_cpus *cpus);

/* Sorts what was put; nothing more can be put. */
int fxt_sorter_sort(struct fxt_sorter *sorter);

/* Returns whether an input's records of one time, a microsecond, are in order. */
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
 * Reads the next record in brief, where it is one of scheduling, of the same provider as the last, and was read ahead.
 * Returns NULL where fxt_sorter_next() has to read it.
 */
static inline const struct fxt_brief *fxt_sorter_next_brief(struct fxt_sorter *sorter)
{
	return fxt_merge_goes_on(&sorter->merge) ? ++sorter->merge.current->brief : NULL;
}

#endif
