/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the reader of ftrace's text share. */
#ifndef FXT_CONVERT_FTRACE_READ_H
#define FXT_CONVERT_FTRACE_READ_H

#include "formats/ftrace/text.h"
#include "fxt/events.h"
#include "model/build.h"
#include "model/sched_view.h"
#include "model/timers.h"
#include "store/map.h"

/* Longer lines are malformed; the first so many bytes are examined before any line is read. */
#define FXT_FTRACE_INPUT_LINE_MAX	((size_t)64 << 10)

#define FXT_FTRACE_BEGIN_MAX		((size_t)20 << 10)

/* A part of a line. */
struct fxt_span {
	const char *at;
	size_t bytes;
};

/* The greatest id of a thread; and in perf's records, that of one that is no more. */
#define FXT_FTRACE_TID_MAX	0x7fffffffu
#define FXT_FTRACE_TID_NONE	0xffffffffu

/* The longest name of a thread. */
#define FXT_FTRACE_COMM_BYTES	15u
#define FXT_FTRACE_LATENCY_BYTES	8u	/* in the latency format */

struct fxt_ftrace_line {
	struct fxt_span comm;
	__u32 tid;
	__u32 tgid;		/* 0: not known */
	struct fxt_span buffer;	/* of trace-cmd, which prints its name before the thread's; empty: the first */
	__u32 cpu;
	__u64 ns;
	bool latency;		/* of the latency format, which cuts names */
	bool unitless;		/* ns is a number that the line doesn't say the unit of */
	bool nobody;		/* the thread isn't known */
	bool record;		/* of perf script: the event is a record of perf, no tracepoint */
	bool sample;		/* of perf: of an event that is no tracepoint, by its full name */
	bool no_cpu;		/* of these, and of a record: the CPU isn't known */
	bool lone;		/* of perf script: tid is the only number, and may be the process */
	bool has_period;
	__u64 period;
	bool decimal;		/* also the fields that the kernel prints in hexadecimal */
	bool contextless;	/* nothing says the context; it is that of the handlers that run on the CPU */
	enum fxt_waker_context context;
	struct fxt_span event;
	struct fxt_span fields;
};

/* An open slice: the line of its end says what kind of event it was. */
struct fxt_ftrace_slice {
	__u64 ns;
	int provider;
	__u32 bytes;		/* of the name */
	__u32 more;		/* and, behind it, of "arguments|category" */
	char *name;
};

/* What is known of a thread. */
struct fxt_ftrace_task {
	struct fxt_ftrace_task *next;	/* in the order of arrival */
	__u32 tid;
	__u32 process;
	bool process_known;
	bool process_used;	/* in a record */
	bool running;		/* between a switch in and a switch out */
	bool named_by_field;	/* not only by the column, which shows a later name */
	bool name_put;		/* in a record */
	__u8 name_bytes;
	__u16 name_room;
	__u16 slice_count;
	__u16 slice_room;
	__u64 since;
	char *name;
	struct fxt_ftrace_slice *slices;
};

struct fxt_ftrace_cpu {
	int provider;		/* of the sorter + 1; 0: none yet */
	bool lost;		/* events, before the next */
	bool seen;
	bool switched;		/* by sched_switch, so perf's records of switches are not needed any more */
	bool migrations_named;	/* its track of them */
	bool migrations_known;
	bool handles[FXT_TRACKS];	/* a handler of that track runs, since the last switch and the last loss */
	struct fxt_timers timers;	/* likewise */
	__u32 incoming;		/* by perf's last record of a switch; 0: idle, or not known */
	bool current_known;	/* by the last switch of the text: */
	__u32 current;
	__u32 migrations;	/* the track's process, where it is known */
	__u64 lost_count;	/* 0: not known */
	__u64 last_ns;
};

struct fxt_ftrace_parser {
	struct fxt_conversion *c;
	const char *name;
	__u64 line_number;
	__u64 first_ns, last_ns;	/* of the first and the last event */
	bool started;		/* there was one */
	bool looked;		/* the text's beginning is examined: */
	bool escaped;		/* lines end as in a JavaScript string */
	bool waking;		/* there was sched_waking, or the beginning has it: sched_wakeup is not the waking */
	bool switches;		/* the beginning has sched_switch, so perf's records of switches are not needed */
	bool ours;		/* fxtrec wrote it */
	bool deltas;		/* each time is since the line before */
	bool exact;		/* some times are in nanoseconds */
	__u64 delta_sum;
	bool nameless;		/* names come from elsewhere */
	bool on_cpu_known;	/* by a comment, for the next wakeup: */
	bool on_cpu;
	bool nmi, timer;	/* by a comment, the next wakeup's context */
	struct fxt_timer_pairs timer_pairs;
	enum fxt_unchosen unchosen;	/* likewise, of the next switch */
	size_t begin_bytes;	/* likewise, of the next begin of a slice: "arguments|category" */
	char begin[FXT_FTRACE_BEGIN_MAX];
	bool skipping;		/* the rest of a line that is too long */
	bool cut;		/* the line that is read has no end, so it may lack what other lines have */
	bool targets;		/* wakeups have their CPU */
	bool lone_process;	/* of lines with one number, it is the process's */
	int provider;		/* "fxtrec", in the sorter */
	const struct fxt_syscall_table *names;	/* of system calls; NULL: this machine's */
	struct fxt_map calls;	/* the open system call of each thread */
	struct fxt_map tracks;	/* of each CPU: what handlers run */
	struct fxt_map tasks;
	struct {
		__u32 tid;
		struct fxt_ftrace_task *task;
	} recent[64];		/* of them, by the last bits of their ids */
	struct fxt_ftrace_task *first, *last;
	struct fxt_ftrace_cpu *cpus;
	size_t cpu_room;
	struct fxt_ftrace_twins *twins;	/* of several buffers; NULL: there is one */
	unsigned int unnamed;	/* the next event is of that one + 1, though its name isn't before it; 0: it would be */
	struct fxt_record r;
	size_t held;
	char hold[FXT_FTRACE_INPUT_LINE_MAX];
	char fixed[FXT_FTRACE_INPUT_LINE_MAX];
	char plain[FXT_FTRACE_INPUT_LINE_MAX];	/* a line's fields with decimal numbers */
};

static inline struct fxt_span fxt_span(const char *at, size_t bytes)
{
	return (struct fxt_span){ at, bytes };
}

static inline bool fxt_span_is(struct fxt_span span, const char *text)
{
	return span.bytes == strlen(text) && !memcmp(span.at, text, span.bytes);
}

static inline struct fxt_text fxt_span_text(struct fxt_span span)
{
	return fxt_build_text(span.at, span.bytes);
}

/* Removes text from the beginning; false where it isn't there. */
bool fxt_span_skip(struct fxt_span *span, const char *text);
void fxt_span_skip_spaces(struct fxt_span *span);
/* Removes spaces from the end. */
void fxt_span_trim(struct fxt_span *span);
/* Removes a number; false where there is none, or one that doesn't fit. */
bool fxt_span_number(struct fxt_span *span, __u64 *number);
bool fxt_span_priority(struct fxt_span *span, __s32 *priority);
bool fxt_span_hex(struct fxt_span *span, __u64 *number);	/* without "0x" */
bool fxt_span_u32(struct fxt_span *span, __u32 *number);
/* All of it is a decimal number, with a point or an exponent or none. */
bool fxt_span_real(struct fxt_span span, double *number);
bool fxt_span_seconds(struct fxt_span *span, __u64 *ns);	/* "5", "5.25" */
/* Removes the part before a character, or all, and the character. */
struct fxt_span fxt_span_part(struct fxt_span *span, char end);

/* Parses a line up to its fields; false where it isn't an event's. */
bool fxt_ftrace_line_parse(struct fxt_ftrace_line *line, const char *text, size_t bytes);
/*
 * Of a line with all numbers as "0x1f (31)", the form of the option "fields": its fields become a copy at to, which has
 * their room, with the decimal ones alone.
 */
bool fxt_ftrace_numbers(struct fxt_ftrace_line *line, char *to);

/* All of these: 0; 1 where a line is malformed; -errno. */

int fxt_ftrace_read_switch(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
/* Whether a line is a switch of a thread other than its own: its number is a process. */
bool fxt_ftrace_switch_is_other(const struct fxt_ftrace_line *line);
int fxt_ftrace_read_wakeup(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
int fxt_ftrace_read_migrate(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
int fxt_ftrace_read_mark(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line,
			 struct fxt_span text);
int fxt_ftrace_read_other(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);

/*
 * The same of what a line, or another recorder's event, has: its view, with the names that
 * its threads have.  line has its CPU, thread and time.  on_cpu of a wakeup is found out.
 */
int fxt_ftrace_switch_put(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line,
			  const struct fxt_switch_view *view, struct fxt_span prev_comm,
			  struct fxt_span next_comm);
int fxt_ftrace_wakeup_put(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line,
			  const struct fxt_wakeup_view *view, struct fxt_span comm);
int fxt_ftrace_migrate_put(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line,
			   const struct fxt_migrate_view *view, struct fxt_span comm);

/*
 * kernel_track.c, kernel_call.c: what the kernel does on a line's CPU, and for its thread, as the records of
 * fxt-on-linux; fxt_ftrace_track() names a track of the CPU, once.  An end without its begin is none.  call_lost: a
 * thread ends, and so does its system call.
 */
int fxt_ftrace_track(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, enum fxt_track track);
int fxt_ftrace_irq_begin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s32 irq,
			 struct fxt_span name);
int fxt_ftrace_irq_end(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s32 irq, __s32 ret);
int fxt_ftrace_softirq_begin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u64 vec);
int fxt_ftrace_softirq_end(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
/* No handler runs on the CPU any more, or nothing says which. */
void fxt_ftrace_handlers_end(struct fxt_ftrace_parser *p, __u32 cpu);
/* A timer's callback begins or ends; false: the event is another. */
bool fxt_ftrace_timer(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, struct fxt_span event);
/* Where the line doesn't say it, by the handlers that run on the CPU; and by timers, as far as their events are there. */
enum fxt_waker_context fxt_ftrace_context(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
int fxt_ftrace_power(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, bool idle, __u32 cpu,
		     __u32 state);
int fxt_ftrace_call_enter(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, const char *name,
			  bool compat);
int fxt_ftrace_call_number(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s64 id);
int fxt_ftrace_call_exit(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s64 ret);
/* Of events that are not in the order of time: a begin or, with a result, an end, of any call where id is negative. */
int fxt_ftrace_call_put(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s64 id, const __s64 *ret);
int fxt_ftrace_call_lost(struct fxt_ftrace_parser *p, __u32 tid, const struct fxt_ftrace_line *line);

/* read_kernel.c: lines of these; -ENOENT: it is another event's. */
int fxt_ftrace_read_kernel(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);

/*
 * read_newtask.c: a thread has a name from then on, and a process where that isn't 0; a new one is of the process of
 * the line's thread, its creator, or one of its own.  The lines of these.
 */
int fxt_ftrace_named(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 tid, __u32 process,
		     struct fxt_span name);
int fxt_ftrace_newtask(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 tid, __u64 flags,
		       struct fxt_span name);
int fxt_ftrace_read_newtask(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
int fxt_ftrace_read_rename(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);

/* A line without an event. */
int fxt_ftrace_read_comment(struct fxt_ftrace_parser *p, struct fxt_span line);

/* Adds "key=value" parts as arguments; exact: with the types that fxtrec writes. */
void fxt_ftrace_args_add(struct fxt_record *r, struct fxt_span text, char between, bool exact);

/* From when on the name in a line at ns is valid: from just before, so that its record has it. */
static inline __u64 fxt_ftrace_since(__u64 ns)
{
	return ns ? ns - 1 : 0;
}

/* Puts p->r; what can't be put is counted. */
int fxt_ftrace_put_at(struct fxt_ftrace_parser *p, __u64 ns, int provider);
/* The same in the stream of a CPU. */
int fxt_ftrace_put_on(struct fxt_ftrace_parser *p, __u64 ns, __u32 cpu);

/* A CPU's stream; -errno. */
int fxt_ftrace_cpu_provider(struct fxt_ftrace_parser *p, __u32 cpu);
struct fxt_ftrace_cpu *fxt_ftrace_cpu_new(struct fxt_ftrace_parser *p, __u32 cpu);

/* A CPU; NULL: no memory. */
static inline struct fxt_ftrace_cpu *fxt_ftrace_cpu(struct fxt_ftrace_parser *p, __u32 cpu)
{
	return cpu < p->cpu_room ? &p->cpus[cpu] : fxt_ftrace_cpu_new(p, cpu);
}

/* Notes that a switch puts a thread on a CPU.  0 or -errno. */
int fxt_ftrace_comes(struct fxt_ftrace_parser *p, __u32 cpu, __u32 tid);
/*
 * Puts an event of the line's thread where the last switch put another one on its CPU: a switch is missing.  For lines
 * of interrupts and programs alone, as others come also while a switch goes on.
 */
int fxt_ftrace_runs(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);

/* Counts a CPU's lost events; puts their record once the CPU has events again. */
int fxt_ftrace_lost(struct fxt_ftrace_parser *p, __u32 cpu, __u64 count);

/*
 * Of several buffers: from now on an event is read once.  buffer: the number of a name, which may be empty.  is_twin:
 * another buffer had it, by its bytes, with the line's time, CPU and thread; then it is counted.
 */
int fxt_ftrace_twins_open(struct fxt_ftrace_parser *p);
unsigned int fxt_ftrace_twins_buffer(struct fxt_ftrace_parser *p, struct fxt_span name);
bool fxt_ftrace_is_twin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, const void *bytes,
			size_t count, unsigned int buffer);

/* Records of perf: a new thread, which has its parent's name; a switch of the line's thread.  As the other readers. */
int fxt_ftrace_forked(struct fxt_ftrace_parser *p, __u64 ns, __u32 process, __u32 tid, __u32 parent);
int fxt_ftrace_switched(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 next, bool preempted);
/* A sample, with the functions of its stack or none. */
int fxt_ftrace_sampled(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, struct fxt_span stack);
/* Records as perf script prints them. */
int fxt_ftrace_read_record(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
/* What a CPU had from the text's begin up to its first event was overwritten. */
int fxt_ftrace_started(struct fxt_ftrace_parser *p, __u32 cpu);
int fxt_ftrace_lost_put(struct fxt_ftrace_parser *p, __u32 cpu, __u64 ns);
/* The provider event of a full buffer. */
int fxt_ftrace_lost_event(struct fxt_ftrace_parser *p, __u32 cpu, __u64 ns);
int fxt_ftrace_lost_end(struct fxt_ftrace_parser *p);

/* A thread, a new one if need be; NULL: too many, or no memory. */
struct fxt_ftrace_task *fxt_ftrace_task(struct fxt_ftrace_parser *p, __u32 tid);
int fxt_ftrace_task_process(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, __u32 process,
			    __u64 ns);
/* field: the name is from an event's field, and so of that time. */
int fxt_ftrace_task_name(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t,
			 struct fxt_span name, __u64 ns, bool field);
/* All of it, by a comment; a process's name is in another comment. */
int fxt_ftrace_task_set(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, __u32 process,
			struct fxt_span name, __u64 ns);
/* The process for a record of the thread. */
__u32 fxt_ftrace_process_of(struct fxt_ftrace_task *t);
/* Puts the names that wait for a process, and the open slices. */
int fxt_ftrace_tasks_end(struct fxt_ftrace_parser *p);
void fxt_ftrace_tasks_uninit(struct fxt_ftrace_parser *p);

/*
 * Keeps the slice that p->r begins until its end is read, which says what it is; begin: puts the one that p->r ends
 * as a begin; drop: forgets the innermost; flush: puts all that are open as begins; free: forgets them.
 */
int fxt_ftrace_slice_open(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, int provider);
int fxt_ftrace_slice_begin(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t);
void fxt_ftrace_slice_drop(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t);
int fxt_ftrace_slices_flush(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t);
void fxt_ftrace_slices_free(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t);
/*
 * Puts one record of p->r, the end of what was "instant" or "complete", and of the
 * open slice; 1 where none is open.
 */
int fxt_ftrace_slice_close(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t,
			   struct fxt_span phase);

#endif
