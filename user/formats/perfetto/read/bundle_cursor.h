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
	bool migrations_named;	/* its track of migrations has a name */
	__u32 tracks_named;	/* a bit for each of its other tracks that has a name */
	char handler[256];	/* name of the open handler */
	bool running_known;
	__u64 running;
	__s32 running_prio;
	/* Cache of threads' last names, so that most need no lookup. */
	struct {
		__u64 bundle;
		__u32 pid;
		__u32 comm;
	} seen[FXT_PF_SEEN];
	__u64 bundle;
};

/* Position in a bundle's three lists. */
struct fxt_pf_cursor {
	struct fxt_pf_reader *rd;
	struct fxt_pf_cpu_reader *cpu;
	const struct fxt_pf_sequence *s;
	const Pf__FtraceEventBundle *bundle;
	const Pf__FtraceEventBundle__CompactSched *compact;	/* NULL: the bundle has no compact events */
	__u32 clock;
	__u64 shift;		/* offset of the bundle's own clock to BOOTTIME */
	bool ours;		/* written by fxtrec */
	const struct fxt_prev_states *states;	/* meaning of the numbers of states */
	size_t sw, waking, full;
	__u64 sw_time, waking_time;	/* times of the current compact events */
	bool any;		/* an event was read, at last_time */
	__u64 last_time;
};

__u64 fxt_pf_cursor_ns(const struct fxt_pf_cursor *cur, __u64 time);

/* Returns the context by an event's flags alone. */
static inline enum fxt_waker_context fxt_pf_context(__u32 flags)
{
	enum fxt_waker_context level = flags & FXT_PF_FLAG_NMI ? FXT_CONTEXT_NMI :
				       flags & FXT_PF_FLAG_HARDIRQ ? FXT_CONTEXT_HARDIRQ :
				       flags & FXT_PF_FLAG_SOFTIRQ ? FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_TASK;

	return flags & FXT_PF_FLAG_TIMER ? fxt_context_of_timer(level) : level;
}

/* Returns the context of a wakeup by a thread, also by the timers that others' packets have. */
static inline enum fxt_waker_context fxt_pf_cursor_context(const struct fxt_pf_cursor *cur, __u32 flags, __u32 thread)
{
	const struct fxt_feed_event e = { .tid = thread, .cpu = cur->cpu->cpu, .context = fxt_pf_context(flags) };

	return cur->ours ? e.context : fxt_feed_context(&cur->rd->feed, &e);
}

/*
 * Names a thread by an event: from ns on for fxtrec's events; a name of others' events holds for the event itself, too.
 */
int fxt_pf_cursor_named(struct fxt_pf_cursor *cur, __u32 tid, const char *name, __u64 ns);

int fxt_pf_cursor_switch(struct fxt_pf_cursor *cur, struct fxt_switch_view *v, __u64 ns);
int fxt_pf_cursor_wakeup(struct fxt_pf_cursor *cur, const struct fxt_wakeup_view *v, __u64 ns);

/*
 * Reads an event of a handler, softirq, call or counter: 1; 0 where the event has another kind; -errno
 * (bundle_kernel.c).
 */
int fxt_pf_cursor_kernel(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns);

/* Notes a new thread; notes that the file has its first wakeup (newtask.c; see also read.h). */
int fxt_pf_newtask_read(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns);
void fxt_pf_newtask_woken(struct fxt_pf_reader *rd, __u32 tid);

/* Fills an event's head for rd->feed.  0 or -errno (print.c). */
int fxt_pf_feed(struct fxt_pf_cursor *cur, __u32 tid, __u64 ns, struct fxt_feed_event *e);

/* Reads a text that a thread wrote to trace_marker. */
int fxt_pf_print(struct fxt_pf_cursor *cur, __u32 tid, const char *text, __u64 ns);

/* Reads an event that the schema doesn't have; reads a bundle's descriptors of such events (other.c). */
int fxt_pf_cursor_other(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns);
int fxt_pf_generics_describe(struct fxt_pf_reader *rd, const Pf__FtraceEventBundle *bundle);

/* Reads the next event that is not in the compact form. */
int fxt_pf_cursor_full(struct fxt_pf_cursor *cur);

#endif
