/* SPDX-License-Identifier: GPL-2.0-only */
/* A bundle of ftrace events, and its CPU's state. */
#ifndef FXT_CONVERT_PERFETTO_READ_BUNDLE_CURSOR_H
#define FXT_CONVERT_PERFETTO_READ_BUNDLE_CURSOR_H

#include "formats/perfetto/read/read.h"
#include "model/sched_view.h"

#define FXT_PF_SEEN	1024u

struct fxt_pf_cpu_reader {
	__u32 cpu;
	int provider;
	bool migrations_named;	/* its track of them */
	__u32 tracks_named;	/* others of its, a bit of each */
	char handler[256];	/* the open one */
	struct fxt_timers timers;	/* that run, since the last switch and the last loss */
	bool running_known;
	__u64 running;
	__s32 running_prio;
	bool lost;		/* events, before the next */
	bool has_last;		/* an event, at: */
	__u64 last_ns;
	/* The last names of threads, so that few have to be looked up. */
	struct {
		__u64 bundle;
		__u32 pid;
		__u32 comm;
	} seen[FXT_PF_SEEN];
	__u64 bundle;
};

/* The position in a bundle's three lists. */
struct fxt_pf_cursor {
	struct fxt_pf_reader *rd;
	struct fxt_pf_cpu_reader *cpu;
	const struct fxt_pf_sequence *s;
	const Pf__FtraceEventBundle *bundle;
	const Pf__FtraceEventBundle__CompactSched *compact;	/* NULL: none */
	__u32 clock;
	__u64 shift;		/* to BOOTTIME, of the bundle's own clock */
	bool ours;		/* fxtrec wrote it */
	const struct fxt_prev_states *states;	/* what its numbers mean */
	size_t sw, waking, full;
	__u64 sw_time, waking_time;	/* of the current ones */
	bool any;		/* one was read, at: */
	__u64 last_time;
};

__u64 fxt_pf_cursor_ns(const struct fxt_pf_cursor *cur, __u64 time);

/* By an event's flags alone. */
static inline enum fxt_waker_context fxt_pf_context(__u32 flags)
{
	enum fxt_waker_context level = flags & FXT_PF_FLAG_NMI ? FXT_CONTEXT_NMI :
				       flags & FXT_PF_FLAG_HARDIRQ ? FXT_CONTEXT_HARDIRQ :
				       flags & FXT_PF_FLAG_SOFTIRQ ? FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_TASK;

	return flags & FXT_PF_FLAG_TIMER ? fxt_context_of_timer(level) : level;
}

/* Returns the context of a wakeup by a thread, also by the timers that others' packets have. */
static inline enum fxt_waker_context fxt_pf_cursor_context(const struct fxt_pf_cursor *cur, __u32 flags, __u64 thread)
{
	enum fxt_waker_context context = fxt_pf_context(flags);

	return !cur->ours && fxt_timers_run(&cur->cpu->timers, &cur->rd->timer_pairs, context, thread) ?
	       fxt_context_of_timer(context) : context;
}

/* The name that an event has for a thread: of ours from then on, of others it holds for the event itself, too. */
int fxt_pf_cursor_named(struct fxt_pf_cursor *cur, __u32 tid, const char *name, __u64 ns);

int fxt_pf_cursor_switch(struct fxt_pf_cursor *cur, const struct fxt_switch_view *v, __u64 ns);
int fxt_pf_cursor_wakeup(struct fxt_pf_cursor *cur, const struct fxt_wakeup_view *v, __u64 ns);

/* bundle_kernel.c: 1; 0 where the event is none of these; -errno. */
int fxt_pf_cursor_kernel(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns);

/* newtask.c: a new thread; the wakeup of one is in the file; see read.h, too. */
int fxt_pf_newtask_read(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns);
void fxt_pf_newtask_woken(struct fxt_pf_reader *rd, __u32 tid);

/* print.c: fills the head of an event for rd->feed, which is open then.  0 or -errno. */
struct fxt_feed_event;
int fxt_pf_feed(struct fxt_pf_cursor *cur, __u32 tid, __u64 ns, struct fxt_feed_event *e);

/* Text that a thread wrote to trace_marker. */
int fxt_pf_print(struct fxt_pf_cursor *cur, __u32 tid, const char *text, __u64 ns);

/* other.c: an event that the schema doesn't have; and the descriptors of such in a bundle. */
int fxt_pf_cursor_other(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns);
int fxt_pf_generics_describe(struct fxt_pf_reader *rd, const Pf__FtraceEventBundle *bundle);

/* Reads the next event that is not in the compact form. */
int fxt_pf_cursor_full(struct fxt_pf_cursor *cur);

#endif
