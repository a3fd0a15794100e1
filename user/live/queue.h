/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of a recording that goes on, until all of their time have come: then in the order of time. */
#ifndef FXT_LIVE_QUEUE_H
#define FXT_LIVE_QUEUE_H

#include "convert/sort/merge.h"
#include "model/sched_view.h"
#include "store/map.h"

/* A context switch or a wakeup, or another record. */
struct fxt_live_entry {
	__u64 ns;
	enum fxt_kind kind;
	union {
		union fxt_sched_view view;
		struct fxt_record *record;	/* of the heap */
	};
};

/* Those of a CPU, or of all others, in time order: a ring. */
struct fxt_live_lane {
	struct fxt_merge_source source;	/* the first member */
	struct fxt_live_entry *entries;
	size_t room;			/* a power of two */
	size_t begin, end;		/* running numbers */
	size_t at;			/* the merge has come so far */
	__u64 until;			/* it goes no further */
};

struct fxt_live_queue {
	struct fxt_live_lane **lane;	/* in the order in which they came; the first: of other records */
	size_t count;
	struct fxt_map by_cpu;
	struct fxt_live_lane *last;	/* that was put to, and its CPU: the next one is mostly the same */
	__u32 last_cpu;
	__u64 newest;			/* ns, of all that came */
	__u64 passed;			/* ns: all before were passed on */
	__u64 late;			/* records that came after that: context switches and wakeups are left out */
};

/* 0 or -ENOMEM. */
int fxt_live_queue_init(struct fxt_live_queue *queue);
void fxt_live_queue_uninit(struct fxt_live_queue *queue);

/* Puts a context switch or a wakeup of a CPU; a copy of any other record.  0 or -ENOMEM. */
int fxt_live_put_view(struct fxt_live_queue *queue, __u32 cpu, enum fxt_kind kind,
		      const union fxt_sched_view *view, __u64 ns);
int fxt_live_put(struct fxt_live_queue *queue, const struct fxt_record *r, __u64 ns);

/* Passes on all before a time.  0, or what put returned that wasn't 0, or -errno. */
int fxt_live_pass(struct fxt_live_queue *queue, __u64 until, int (*put)(void *arg, const struct fxt_record *r),
		  void *arg);

#endif
