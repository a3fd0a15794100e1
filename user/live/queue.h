/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Holds records of a recording in progress until all records of their time have come, and passes them on in time order.
 */
#ifndef FXT_LIVE_QUEUE_H
#define FXT_LIVE_QUEUE_H

#include "stream/merge.h"
#include "model/sched_view.h"
#include "store/map.h"

/* A context switch or a wakeup, or a copy of another record. */
struct fxt_live_entry {
	__u64 ns;
	enum fxt_kind kind;
	union {
		union fxt_sched_view view;
		struct fxt_record *record;	/* heap copy of another record */
	};
};

/* Entries of a CPU, or of all other records, in time order: a ring. */
struct fxt_live_lane {
	struct fxt_merge_source source;	/* base of the lane for fxt_merge; must stay the first member */
	struct fxt_live_entry *entries;
	size_t room;			/* capacity in entries, a power of two */
	size_t begin, end;		/* running numbers of the first entry, and after the last */
	size_t at;			/* running number of the next entry to merge */
	__u64 until;			/* ns, end of the merge */
};

struct fxt_live_queue {
	struct fxt_live_lane **lane;	/* lanes in the order of their creation; the first has the records without a
					 * CPU */
	size_t count;
	struct fxt_map by_cpu;
	struct fxt_live_lane *last;	/* lane of the last put, with its CPU: the next put mostly has the same */
	__u32 last_cpu;
	__u64 newest;			/* ns of the newest record that came */
	__u64 passed;			/* ns, all earlier records were passed on */
	__u64 late;			/* records that came after their time was passed on; late context switches
					 * and wakeups are left out */
};

/* Initializes.  Returns 0 or -ENOMEM. */
int fxt_live_queue_init(struct fxt_live_queue *queue);
void fxt_live_queue_uninit(struct fxt_live_queue *queue);

/* Puts a context switch or a wakeup of a CPU, or a copy of any other record.  Returns 0 or -ENOMEM. */
int fxt_live_put_view(struct fxt_live_queue *queue, __u32 cpu, enum fxt_kind kind,
		      const union fxt_sched_view *view, __u64 ns);
int fxt_live_put(struct fxt_live_queue *queue, const struct fxt_record *r, __u64 ns);

/* Passes on all records before a time.  Returns 0, the first number other than 0 that put returned, or -errno. */
int fxt_live_pass(struct fxt_live_queue *queue, __u64 until, int (*put)(void *arg, const struct fxt_record *r),
		  void *arg);

#endif
