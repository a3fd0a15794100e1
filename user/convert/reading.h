/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts the records of a conversion's inputs into its sorter: as their machine has them, with facts about each input. */
#ifndef FXT_CONVERT_READING_H
#define FXT_CONVERT_READING_H

#include "model/inputs.h"
#include "stages/kept.h"
#include "stream/sorter.h"

struct fxt_reading {
	struct fxt_strings strings;	/* texts of records */
	struct fxt_sorter *sorter;
	struct fxt_inputs inputs;	/* at least one; the last one is read */
	struct fxt_host_id host;	/* machine of the next records */
	struct fxt_known known;
	/*
	 * NULL, or called with each of the recorder's own events, before it is put, and the number of the machine in
	 * its ids: 0 or -errno.
	 */
	int (*watch)(void *arg, const struct fxt_record *r, __u32 machine);
	void *watch_arg;
	bool sched_only;		/* readers skip events of forms */
	__u64 passed;			/* number of skipped events */
	__u64 cut;			/* number of texts that were too long for a record, since a reader started */
	struct fxt_record mapped;
	char name[FXT_STRING_BYTES_MAX];
};

/* Sets up the reading of the first input, for one that is zero; memory, spill: of the sorter.  0 or -ENOMEM. */
int fxt_reading_init(struct fxt_reading *reading, size_t memory, struct fxt_spill *spill);
void fxt_reading_uninit(struct fxt_reading *reading);

/* Returns the number of the current input, from 0, which its records have. */
static inline __u32 fxt_reading_number(const struct fxt_reading *reading)
{
	return reading->inputs.count - 1;
}

/* Returns the current input. */
static inline struct fxt_trace_input *fxt_reading_input(const struct fxt_reading *reading)
{
	return &reading->inputs.of[fxt_reading_number(reading)];
}

/* Returns the number of records that were put, or skipped. */
static inline __u64 fxt_reading_count(const struct fxt_reading *reading)
{
	return fxt_sorter_count(reading->sorter) + reading->passed;
}

/* Returns the sorter's index of a provider of the machine, a new one if need be; -ENOMEM, -E2BIG. */
int fxt_reading_provider(struct fxt_reading *reading, const char *name, size_t bytes);

/* Changes a record to the ids and times of the trace; valid until the next call. */
void fxt_reading_map(struct fxt_reading *reading, struct fxt_record *r);

/*
 * Put a record of the current input as the functions of the sorter do, and set its machine; an error of the sorter, or
 * of watch().
 */
int fxt_reading_put(struct fxt_reading *reading, struct fxt_record *r, __u64 ns, int provider);
int fxt_reading_put_view(struct fxt_reading *reading, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns,
			 int provider);

/* Puts an event of a form, of the first machine only: its ids stay as they are. */
int fxt_reading_put_formed(struct fxt_reading *reading, const struct fxt_formed *event, __u64 ns, int provider);

/* Counts an event of a form that is not put, as only its time is needed. */
void fxt_reading_pass(struct fxt_reading *reading, __u64 ns);

/*
 * Adds the span of a CPU's records that the sorter reads again (stream/reread.h), and whether wakeups are among them.
 * 0 or -ENOMEM.
 */
int fxt_reading_leave(struct fxt_reading *reading, __u32 cpu, const struct fxt_time_span *span, bool wakeups);

#endif
