/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page's timeline: what each CPU and thread did, slices, instants and counters, in blocks by time,
 * with summaries by level.  Documentation/page-timeline.rst has the layout of the data.
 */
#ifndef FXT_PAGE_TIMELINE_H
#define FXT_PAGE_TIMELINE_H

#include "analyze/machine/machine.h"
#include "analyze/machine/open_slices.h"
#include "analyze/selection.h"
#include "page/page.h"
#include "model/counter.h"
#include "page/rows.h"
#include "page/strings.h"
#include "store/tape.h"

/* Rows of each track of a kind, by the track's number. */
struct fxt_page_counts {
	__u32 *rows;
	size_t room, used;	/* used: the greatest number, and one */
};

/* A thread that ended, or goes on to the trace's end. */
struct fxt_page_thread {
	__u64 key, tid, pid, process_key;
	__u64 begin, end;	/* ns from the page's begin; begin: 0 where it is older */
	bool born, died;	/* in the trace */
	char name[FXT_TASK_NAME_BYTES], process_name[FXT_TASK_NAME_BYTES];
};

/* What slices, instants and counters are drawn on. */
#define FXT_PAGE_CATEGORIES	(~0u)

/* The id of what a thread says between two of its lives. */
#define FXT_PAGE_NO_LIFE	(~0ull)

struct fxt_page_track {
	struct fxt_page_track_name {
		__u64 process, thread, id;
		__u32 kind;	/* enum fxt_page_kind */
		__u32 name;	/* a string's number: of counters, of asynchronous work; else 0 */
	} of;
	__u64 key;		/* of the thread; 0: none is known */
	double low, high;	/* of a counter */
	bool counted;		/* which has had a value */
	__u32 number;
	__u32 depth;		/* slices: the greatest, and one */
	__u32 category;		/* of all slices, a string's number; 0: none yet, FXT_PAGE_CATEGORIES: more than one */
	struct fxt_open_slices open;
	struct fxt_page_track *free;	/* a lane that no work is on: the next one */
	struct fxt_page_track *next;
};

struct fxt_page_timeline {
	struct fxt_page *page;
	struct fxt_machine *m;
	unsigned int slot;		/* of data[] */
	struct fxt_page_rows rows;
	struct fxt_page_strings strings;
	struct fxt_page_counts counts[FXT_PAGE_KINDS];
	struct fxt_tape threads;	/* struct fxt_page_thread */
	struct fxt_map tracks;		/* struct fxt_page_track, by the hash of their names */
	struct fxt_page_track *first_track, *last_track;	/* in the order of their numbers */
	__u32 track_count;
	struct fxt_map asyncs, lanes;	/* of timeline_async.c */
	struct fxt_buffer losses;	/* columns: from, length, CPU and one, events */
	__u32 loss_count;
	struct fxt_buffer text;		/* of the event that is put */
	struct fxt_page_message {
		bool held;		/* a log record, until the next event says whether it is the same */
		__u64 process, thread;
		struct fxt_page_row row;
	} message;
	struct fxt_counter_part counter;	/* the last one */
	__u64 refused;			/* events of tracks that are too many */
};

/* Before the pass: observes the machine, and may write blocks from now on.  0 or -errno; uninit in both cases. */
int fxt_page_timeline_init(struct fxt_page_timeline *timeline, struct fxt_page *page, struct fxt_machine *m,
			   const struct fxt_selection *selection);

/* After the pass: writes all blocks.  0 or -errno; -EFBIG where the page gets too large. */
int fxt_page_timeline_write(struct fxt_page *page, struct fxt_page_timeline *timeline);
void fxt_page_timeline_uninit(struct fxt_page_timeline *timeline);

/* After the machine has ended: the runs that CPUs are in. */
int fxt_page_timeline_runs_end(struct fxt_page_timeline *timeline);

/*
 * For the timeline's files: a row.  Its times are of the trace's clock and get cut to the page's, but for a slice's
 * end.  0 or -errno.
 */
int fxt_page_timeline_put(struct fxt_page_timeline *timeline, struct fxt_page_row *row);

/* An event that the machine doesn't know: slices, instants, counters, log lines. */
int fxt_page_timeline_event(struct fxt_page_timeline *timeline, const struct fxt_record *r);

/* After the last record: slices that have no end. */
int fxt_page_timeline_events_end(struct fxt_page_timeline *timeline);
void fxt_page_timeline_events_uninit(struct fxt_page_timeline *timeline);

#endif
