/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorts records by time, in bounded memory. */
#ifndef FXT_STREAM_SORTER_H
#define FXT_STREAM_SORTER_H

#include "stream/entry.h"
#include "stream/merge.h"

struct fxt_spill;
struct fxt_streams;

/*
 * A sorter.  Records are kept as FXT, with one string table for all of them and ticks of a nanosecond.  Records that
 * exceed the memory are sorted and written to an unnamed file.  Records that are in order in the input stay there, as
 * streams.
 */
struct fxt_sorter;

/*
 * Creates a sorter.  memory: bytes of records that are kept at a time; strings: the table of their texts; spill: memory
 * of the tables.  Returns NULL without memory.
 */
struct fxt_sorter *fxt_sorter_new(size_t memory, struct fxt_strings *strings, struct fxt_spill *spill);
void fxt_sorter_free(struct fxt_sorter *sorter);

/*
 * Returns the index of a provider by its name, a new one if need be; names of CPUs also differ by their machine, host.
 * -ENOMEM, -E2BIG.
 */
int fxt_sorter_provider(struct fxt_sorter *sorter, const char *name, size_t bytes, __u32 host);

/* Return the provider of an index, or of an id, or NULL. */
const struct fxt_provider *fxt_sorter_provider_at(const struct fxt_sorter *sorter, int index);
const struct fxt_provider *fxt_sorter_provider_of(const struct fxt_sorter *sorter, __u32 id);

/* Adds a form, which is dropped at the end; returns its number, or -ENOMEM. */
int fxt_sorter_form_add(struct fxt_sorter *sorter, struct fxt_form *form);

/*
 * Puts a record, with ticks in nanoseconds; ns is its time; it comes after earlier puts with the same time.
 * 0; an error of fxt_encode(); -errno of the file.
 */
int fxt_sorter_put(struct fxt_sorter *sorter, const struct fxt_record *r, __u64 ns, const struct fxt_entry_from *from);

/* Puts a context switch or a wakeup in brief: it is read as a record with a view. */
int fxt_sorter_put_view(struct fxt_sorter *sorter, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns,
			const struct fxt_entry_from *from);

/* Puts an event of a form. */
int fxt_sorter_put_formed(struct fxt_sorter *sorter, const struct fxt_formed *event, __u64 ns,
			  const struct fxt_entry_from *from);

/* Returns the streams: records that the merge reads again from their inputs (stream/reread.h). */
struct fxt_streams *fxt_sorter_streams(struct fxt_sorter *sorter);

/* Leaves most of the sorter's memory to the reader, from now on.  0; -errno of the file. */
int fxt_sorter_yield(struct fxt_sorter *sorter);

/* Returns the number of records that were put, or left in streams. */
__u64 fxt_sorter_count(const struct fxt_sorter *sorter);

/*
 * Sorts the records; no further record can be put.  The merge reads them in time order: a record's provider is one of
 * the sorter's, its offset the ns that it was put with.  views: as for fxt_streams_merge().
 */
int fxt_sorter_sort(struct fxt_sorter *sorter, bool views, struct fxt_merge **merge);

#endif
