/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The feed: a model of Linux's events, which turns the events of any recorder into the records of fxt-on-linux.
 * A reader parses its format, fills the head of each event, and calls a function of this header for it.
 */
#ifndef FXT_FEED_FEED_H
#define FXT_FEED_FEED_H

#include "convert/format.h"
#include "feed/span.h"
#include "fxt/events.h"
#include "model/build.h"
#include "model/sched_view.h"
#include "model/timers.h"
#include "store/map.h"

/* Greatest id of a thread; and the id that perf's records have for a thread that has ended. */
#define FXT_FEED_TID_MAX	0x7fffffffu
#define FXT_FEED_TID_NONE	0xffffffffu

/* Head of an event: its time, CPU, thread and context. */
struct fxt_feed_event {
	struct fxt_span comm;	/* name of the thread; empty: not known */
	__u32 tid;
	__u32 tgid;		/* 0: not known */
	__u32 cpu;
	__u64 ns;
	bool nobody;		/* the thread is not known */
	bool no_cpu;		/* the CPU is not known */
	bool contextless;	/* the event has no context; the handlers that run on the CPU determine it */
	enum fxt_waker_context context;
};

/* An open slice: its start; its name, and more of its text after that. */
struct fxt_feed_slice {
	__u64 ns;
	int provider;
	__u32 bytes;		/* length of the name */
	__u32 more;		/* length of the text after it */
	char *name;
};

/* Most open slices of a thread or a track. */
#define FXT_FEED_SLICES_MAX	4096u

/* Open slices of a thread or a track, outer ones first; initially zero. */
struct fxt_feed_slices {
	unsigned int count, room;
	struct fxt_feed_slice *slice;
};

/* A thread: its process, and its name over time. */
struct fxt_feed_thread {
	struct fxt_feed_thread *next;	/* in the order of arrival */
	__u32 tid;
	__u32 process;
	bool process_known;
	bool process_used;	/* a record has the process */
	bool running;		/* between a switch in and a switch out */
	bool named_by_field;	/* not only by a column of names, which may show a later name */
	bool name_put;		/* a record has the name */
	__u8 name_bytes;
	__u16 name_room;
	__u64 since;
	char *name;
	struct fxt_feed_slices slices;	/* where the input is ours */
};

struct fxt_feed_cpu {
	int provider;		/* index of the sorter's provider, + 1; 0: none yet */
	bool lost;		/* events were lost before the next event */
	bool seen;		/* it had an event */
	bool switched;		/* sched_switch was seen, so perf's records of switches are not needed any more */
	bool migrations_known;	/* the input has the process of the track of migrations */
	bool handles[FXT_TRACKS];	/* a handler of that track runs, since the last switch and the last loss */
	struct fxt_timers timers;	/* timers that run, since then */
	__u32 incoming;		/* thread of perf's last record of a switch; 0: idle, or not known */
	bool current_known;
	__u32 current;		/* thread of the last switch */
	__u32 migrations;	/* process of the track of migrations */
	__u64 lost_count;	/* 0: not known */
	__u64 last_ns;		/* time of its last event */
};

struct fxt_feed {
	struct fxt_conversion *c;
	__u64 first_ns, last_ns;	/* times of the first and the last event */
	bool started;		/* there was an event */
	bool ours;		/* fxtrec wrote the input, which has the names of CPUs' tracks, and all switches */
	bool exact;		/* some times are in nanoseconds */
	bool nameless;		/* names of threads come from elsewhere: no records are made of them */
	int provider;		/* "fxtrec", in the sorter */
	const struct fxt_syscall_table *names;	/* of system calls; NULL: this machine's */
	struct fxt_timer_pairs timer_pairs;
	struct fxt_map calls;	/* the open system call of each thread */
	struct fxt_map tracks;	/* the handlers that run, by CPU */
	struct fxt_span begin;	/* for the next start of a slice, where the input is ours: "arguments|category" */
	struct fxt_map threads;
	struct {
		__u32 tid;
		struct fxt_feed_thread *thread;
	} recent[64];		/* threads by the last bits of their ids */
	struct fxt_feed_thread *first, *last;
	struct fxt_feed_cpu *cpus;
	size_t cpu_room;
	struct fxt_feed_buffers *buffers;	/* NULL: a single buffer */
	struct fxt_record r;	/* the record that is built */
};

/* Opens the feed of one input of a conversion.  0 or -errno; uninit is allowed after either. */
int fxt_feed_init(struct fxt_feed *f, struct fxt_conversion *c);
void fxt_feed_uninit(struct fxt_feed *f);
/* Puts the pending losses, names and slices at the input's end.  0 or -errno. */
int fxt_feed_end(struct fxt_feed *f);

/* Sets the conversion's error for the -errno of a feed, unless it is set or err is 0; returns err */
int fxt_feed_error(struct fxt_conversion *c, const struct fxt_in *in, int err);

/* All functions below return 0 or -errno, unless their comment has another result. */

/* Puts the name of the input's clock, "mono" or "boot", and the real time of its reading ns; NULL: not known. */
int fxt_feed_clock(struct fxt_feed *f, __u64 ns, const char *clock, const __u64 *real);

/* Notes an event's time, and puts the loss that was pending on its CPU. */
int fxt_feed_seen(struct fxt_feed *f, const struct fxt_feed_event *e);
/* Does the same, and takes the thread's process and name from the event's head. */
int fxt_feed_head(struct fxt_feed *f, const struct fxt_feed_event *e);

/* Starts f->r, an event of a thread. */
int fxt_feed_start(struct fxt_feed *f, enum fxt_event_type type, __u64 ns, __u32 tid, struct fxt_text category,
		   struct fxt_text name);
/* Puts f->r in the stream of a provider, or of a CPU.  A record that is too large is counted as skipped. */
int fxt_feed_put_at(struct fxt_feed *f, __u64 ns, int provider);
int fxt_feed_put_on(struct fxt_feed *f, __u64 ns, __u32 cpu);

/* Put a switch, a wakeup or a migration: a view, with the names of its threads (sched.c). */
int fxt_feed_switch(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_switch_view *view,
		    struct fxt_span prev_comm, struct fxt_span next_comm);
/* Finds the context, and whether the thread is on a CPU; _as_is puts the view as it is. */
int fxt_feed_wakeup(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_wakeup_view *view,
		    struct fxt_span comm);
int fxt_feed_wakeup_as_is(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_wakeup_view *view);
int fxt_feed_migrate(struct fxt_feed *f, const struct fxt_feed_event *e, const struct fxt_migrate_view *view,
		     struct fxt_span comm);
/* Puts a switch of the event's thread, by a record of perf, which has neither priorities nor names. */
int fxt_feed_switched(struct fxt_feed *f, const struct fxt_feed_event *e, __u32 next, bool preempted);
/* Puts a sample of a period (NULL: not known), with the functions of its stack (empty: not known). */
int fxt_feed_sampled(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span name, const __u64 *period,
		     struct fxt_span stack);

/*
 * Put starts and ends of handlers of interrupts, and power states, on the event's CPU.  An end without its start is
 * skipped (tracks.c).
 */
int fxt_feed_irq_begin(struct fxt_feed *f, const struct fxt_feed_event *e, __s32 irq, struct fxt_span name);
int fxt_feed_irq_end(struct fxt_feed *f, const struct fxt_feed_event *e, __s32 irq, __s32 ret);
int fxt_feed_softirq_begin(struct fxt_feed *f, const struct fxt_feed_event *e, __u64 vec);
int fxt_feed_softirq_end(struct fxt_feed *f, const struct fxt_feed_event *e);
int fxt_feed_power(struct fxt_feed *f, const struct fxt_feed_event *e, bool idle, __u32 cpu, __u32 state);
/* Names a track of the event's CPU, once. */
int fxt_feed_track(struct fxt_feed *f, const struct fxt_feed_event *e, enum fxt_track track);
/* Notes that no handler runs on the CPU any more, or that nothing shows which handler runs. */
void fxt_feed_handlers_end(struct fxt_feed *f, __u32 cpu);
/* Notes the start or end of a timer's callback; false: name is another event's. */
bool fxt_feed_timer(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span name);
/* Returns the event's context, by the handlers and the timers that run on the CPU where the event has none. */
enum fxt_waker_context fxt_feed_context(struct fxt_feed *f, const struct fxt_feed_event *e);

/*
 * Put starts and ends of system calls of the event's thread, one at a time.  An end without its start is skipped
 * (calls.c).
 */
int fxt_feed_call_enter(struct fxt_feed *f, const struct fxt_feed_event *e, const char *name, bool compat);
int fxt_feed_call_number(struct fxt_feed *f, const struct fxt_feed_event *e, __s64 id);
int fxt_feed_call_exit(struct fxt_feed *f, const struct fxt_feed_event *e, __s64 ret);
/*
 * Puts a call of an input that is not in time order: its start or, with a result, its end.  A negative id stands for
 * any call.
 */
int fxt_feed_call_put(struct fxt_feed *f, const struct fxt_feed_event *e, __s64 id, const __s64 *ret);
/* Ends the call of a thread that ends. */
int fxt_feed_call_lost(struct fxt_feed *f, __u32 tid, const struct fxt_feed_event *e);

/*
 * Read a mark that a program wrote to trace_marker.  _print corrects the text's characters first, and reads its first
 * FXT_FEED_MARK_MAX bytes (marks.c).
 */
#define FXT_FEED_MARK_MAX	((size_t)64 << 10)
int fxt_feed_mark(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span text);
int fxt_feed_print(struct fxt_feed *f, const struct fxt_feed_event *e, struct fxt_span text);
/* Adds "key=value" parts as arguments; exact: with the types that fxtrec writes (args.c). */
void fxt_feed_args(struct fxt_record *r, struct fxt_span text, char between, bool exact);

/*
 * Keep open slices (slices.c). _add keeps r's slice, with more text after its name; -E2BIG: too many.  _remove forgets
 * the slice with an index, _free all slices.
 */
int fxt_feed_slices_add(struct fxt_feed *f, struct fxt_feed_slices *s, const struct fxt_record *r, struct fxt_span more,
			int provider);
void fxt_feed_slices_remove(struct fxt_feed *f, struct fxt_feed_slices *s, unsigned int i);
void fxt_feed_slices_free(struct fxt_feed *f, struct fxt_feed_slices *s);
/*
 * Keep a thread's open slices in a text that fxtrec wrote. _open keeps the slice that f->r starts until its end is
 * read, which has its type; _begin puts the slice that f->r ends as a start; _flush puts all open slices as starts;
 * _close puts one record of f->r, the end of an "instant" or "complete" event, and of the open slice; 1: no slice is
 * open.
 */
int fxt_feed_slice_open(struct fxt_feed *f, struct fxt_feed_thread *t, int provider);
int fxt_feed_slice_begin(struct fxt_feed *f, struct fxt_feed_thread *t);
int fxt_feed_slices_flush(struct fxt_feed *f, struct fxt_feed_thread *t);
int fxt_feed_slice_close(struct fxt_feed *f, struct fxt_feed_thread *t, struct fxt_span phase);

/* Finds a thread, or adds it; NULL: too many, or no memory (threads.c). */
struct fxt_feed_thread *fxt_feed_thread(struct fxt_feed *f, __u32 tid);
int fxt_feed_thread_process(struct fxt_feed *f, struct fxt_feed_thread *t, __u32 process, __u64 ns);
/* Names a thread; field: the name is from an event's field, so the thread had it at that time. */
int fxt_feed_thread_name(struct fxt_feed *f, struct fxt_feed_thread *t, struct fxt_span name, __u64 ns, bool field);
/* Sets process and name and puts them; the name of the process has a record of its own. */
int fxt_feed_thread_set(struct fxt_feed *f, struct fxt_feed_thread *t, __u32 process, struct fxt_span name, __u64 ns);
/* Puts the name that waits for the thread's process. */
int fxt_feed_thread_end(struct fxt_feed *f, struct fxt_feed_thread *t);
/* Returns the process for a record of the thread. */
__u32 fxt_feed_process_of(struct fxt_feed_thread *t);
/* Names a thread from the event's time on; a process of 0 is not known. */
int fxt_feed_named(struct fxt_feed *f, const struct fxt_feed_event *e, __u32 tid, __u32 process,
		   struct fxt_span name);
/* Adds a thread that the event's thread created with clone()'s flags, in the same process or in a new one. */
int fxt_feed_newtask(struct fxt_feed *f, const struct fxt_feed_event *e, __u32 tid, __u64 flags,
		     struct fxt_span name);
/* Adds a thread by a record of perf: it has its parent's name. */
int fxt_feed_forked(struct fxt_feed *f, __u64 ns, __u32 process, __u32 tid, __u32 parent);

/* Returns a CPU's stream; -errno (cpus.c). */
int fxt_feed_cpu_provider(struct fxt_feed *f, __u32 cpu);
struct fxt_feed_cpu *fxt_feed_cpu_new(struct fxt_feed *f, __u32 cpu);

/* Returns a CPU; NULL: no memory. */
static inline struct fxt_feed_cpu *fxt_feed_cpu(struct fxt_feed *f, __u32 cpu)
{
	return cpu < f->cpu_room ? &f->cpus[cpu] : fxt_feed_cpu_new(f, cpu);
}

/*
 * Puts an event of the event's thread if the last switch put another thread on the CPU: a switch is missing.  For events
 * of interrupts and programs alone, as others also come while a switch goes on.
 */
int fxt_feed_runs(struct fxt_feed *f, const struct fxt_feed_event *e);
/* Counts a CPU's lost events; their record is put once the CPU has events again. */
int fxt_feed_lost(struct fxt_feed *f, __u32 cpu, __u64 count);
/* Notes that events of a CPU before its first event were overwritten. */
int fxt_feed_overwritten(struct fxt_feed *f, __u32 cpu);
/* Puts the record of a CPU's loss, which ends at ns; and the provider event of a full buffer. */
int fxt_feed_lost_put(struct fxt_feed *f, __u32 cpu, __u64 ns);
int fxt_feed_lost_event(struct fxt_feed *f, __u32 cpu, __u64 ns);
/* Puts the losses that are pending at the end. */
int fxt_feed_lost_end(struct fxt_feed *f);

/*
 * Read the same event of several buffers once (buffers.c). _buffer returns the number of a name, which may be empty.
 * _is_twin returns whether another buffer had the event, by its bytes and the head's time, CPU and thread, and counts
 * it.
 */
int fxt_feed_buffers_open(struct fxt_feed *f);
unsigned int fxt_feed_buffer(struct fxt_feed *f, struct fxt_span name);
bool fxt_feed_is_twin(struct fxt_feed *f, const struct fxt_feed_event *e, const void *bytes, size_t count,
		      unsigned int buffer);

/* Returns the start of a name that an event at ns has: just before it, so that its record has the name. */
static inline __u64 fxt_feed_since(__u64 ns)
{
	return ns ? ns - 1 : 0;
}

#endif
