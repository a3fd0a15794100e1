/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page's timeline: states of each CPU and thread, slices, instants and counters, in blocks by time, with summaries
 * by level.  Documentation/page-timeline.rst has the layout of the data.
 */
#ifndef FXT_PAGE_TIMELINE_H
#define FXT_PAGE_TIMELINE_H

#include "analyze/machine/machine.h"
#include "analyze/machine/open_slices.h"
#include "analyze/selection.h"
#include "page/page.h"
#include "model/counter.h"
#include "page/reasons.h"
#include "page/rows.h"
#include "page/strings.h"
#include "store/tape.h"

/* Number of rows of each track of a kind, by the track's number. */
struct fxt_page_counts {
	__u32 *rows;
	size_t room, used;	/* used: the greatest number + 1 */
};

/* A thread that ended, or continues to the trace's end. */
struct fxt_page_thread {
	__u64 key, tid, pid, process_key;
	__u64 begin, end;	/* ns from the page's begin; begin: 0 where the thread is older */
	bool born, died;	/* in the trace */
	char name[FXT_TASK_NAME_BYTES], process_name[FXT_TASK_NAME_BYTES];
};

/* The category of a track of several categories. */
#define FXT_PAGE_CATEGORIES	(~0u)

/* The id of events of a thread between two of its lives. */
#define FXT_PAGE_NO_LIFE	(~0ull)

struct fxt_page_track {
	struct fxt_page_track_name {
		__u64 process, thread, id;
		__u32 kind;	/* enum fxt_page_kind */
		__u32 name;	/* a string's number, for counters and asynchronous work; else 0 */
	} of;
	__u64 key;		/* key of the thread; 0: unknown */
	double low, high;	/* least and greatest value of a counter */
	bool counted;		/* the counter has had a value */
	__u32 number;
	__u32 depth;		/* slices: the greatest depth + 1 */
	/* category of all slices, a string's number; 0: none yet, FXT_PAGE_CATEGORIES: several */
	__u32 category;
	struct fxt_open_slices open;
	struct fxt_page_track *free;	/* for a free lane: the next free lane */
	struct fxt_page_track *next;
};

struct fxt_page_timeline {
	struct fxt_page *page;
	struct fxt_machine *m;
	unsigned int slot;		/* index of data[] */
	struct fxt_page_rows rows;
	struct fxt_page_strings strings;
	struct fxt_page_reasons reasons;
	struct fxt_page_counts counts[FXT_PAGE_KINDS];
	struct fxt_tape threads;	/* struct fxt_page_thread */
	struct fxt_map tracks;		/* struct fxt_page_track, by the hash of its name */
	struct fxt_page_track *first_track, *last_track;	/* in the order of their numbers */
	__u32 track_count;
	struct fxt_map asyncs, lanes;	/* used by timeline_async.c */
	struct fxt_buffer losses;	/* columns: begin, length, CPU + 1, number of events */
	struct fxt_buffer text;		/* text of the current event */
	struct fxt_page_message {
		/* a log record is held, until the next event shows whether it is the same message */
		bool held;
		__u64 process, thread;
		struct fxt_page_row row;
	} message;
	struct fxt_counter_part counter;	/* the last counter */
	__u64 refused;			/* events without a track, as there are too many tracks */
};

/*
 * Starts observing the machine, before the pass, and may write blocks from now on.  0 or -errno; to be uninitialized in
 * both cases.
 */
int fxt_page_timeline_init(struct fxt_page_timeline *timeline, struct fxt_page *page, struct fxt_machine *m,
			   const struct fxt_selection *selection);

/* Writes all blocks, after the pass.  0 or -errno; -EFBIG where the page becomes too large. */
int fxt_page_timeline_write(struct fxt_page *page, struct fxt_page_timeline *timeline);
void fxt_page_timeline_uninit(struct fxt_page_timeline *timeline);

/* Ends the current runs of CPUs, after the machine has ended. */
int fxt_page_timeline_runs_end(struct fxt_page_timeline *timeline);

/*
 * Puts a row, for the timeline's files.  Its times are on the trace's clock and get cut to the page's span, except for
 * a slice's end.  0 or -errno.
 */
int fxt_page_timeline_put(struct fxt_page_timeline *timeline, struct fxt_page_row *row);

/* Puts an event that the machine doesn't handle: slices, instants, counters, log lines. */
int fxt_page_timeline_event(struct fxt_page_timeline *timeline, const struct fxt_record *r);

/* Puts slices without an end, after the last record. */
int fxt_page_timeline_events_end(struct fxt_page_timeline *timeline);
void fxt_page_timeline_events_uninit(struct fxt_page_timeline *timeline);

#endif
