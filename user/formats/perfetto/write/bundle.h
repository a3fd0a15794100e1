/* SPDX-License-Identifier: GPL-2.0-only */
/* A CPU's scheduling events, in Perfetto's compact form where possible. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_BUNDLE_H
#define FXT_CONVERT_PERFETTO_WRITE_BUNDLE_H

#include "formats/perfetto/write/message.h"
#include "formats/perfetto/write/write.h"

/* Most names in a bundle, and most kernel functions that its events refer to. */
#define FXT_PF_COMMS	256u
#define FXT_PF_SYMBOLS	64u

/* Order of a bundle's events with equal times. */
enum fxt_pf_order {
	FXT_PF_SWITCH,
	FXT_PF_WAKING,
	FXT_PF_FULL,
};

/* Columns of a bundle's switches, or of its wakings, as in the packet. */
struct fxt_pf_column {
	size_t count;
	__u64 last;		/* time of the last event; the next time is stored as the difference to it */
	uint64_t *time;		/* this and the following arrays have the packet's types */
	int64_t *state;		/* of switches only */
	int32_t *pid;
	int32_t *prio;
	int32_t *target;		/* of wakings only */
	uint32_t *comm;
	uint32_t *flags;		/* of wakings only */
};

/* Events that the compact form can't hold, each a field of the bundle. */
struct fxt_pf_events {
	__u8 *bytes;
	size_t length, room;
};

/* A copy of a name. */
struct fxt_pf_text_held {
	__u32 length;
	char bytes[FXT_PF_TEXT_MAX];
};

/* A kernel function, or a system call in its place, that events of a bundle refer to. */
struct fxt_pf_symbol {
	__u32 number;		/* in interned data */
	struct fxt_text function;	/* without bytes: a call */
};

struct fxt_pf_cpu {
	__u32 cpu;
	bool lost;		/* events were lost before this bundle */
	__u64 lost_records;	/* number of records lost in the whole trace */
	/* Running thread, once there was a switch. */
	bool running_known;
	__u64 running;
	__s32 running_prio;
	__u32 running_input;	/* recording of the last switch: the thread may not run in another one */
	/* Handlers and softirqs that started as the kernel's events, until they end. */
	struct fxt_pf_text_held handler;
	__s32 handler_irq;
	bool handling;
	__u32 handlers_within;	/* number of open slices that started since: slices of the track's thread */
	__u32 softirq;		/* number + 1 of the open softirq; 0: no softirq */
	__u32 softirqs_within;
	/* Data of the event "blocked", for the thread that goes to sleep next. */
	bool blocking;
	__u64 blocked;
	__u32 iowait;
	struct fxt_text function;
	/* The bundle. */
	__u64 first;		/* time of its first event */
	__u64 last;
	enum fxt_pf_order last_order;
	size_t room;		/* capacity of each column */
	struct fxt_pf_column switches;
	struct fxt_pf_column wakings;
	bool flagged;		/* a waking has flags */
	struct fxt_pf_events events;
	size_t symbol_count;
	struct fxt_pf_symbol symbols[FXT_PF_SYMBOLS];
	size_t comm_count;
	struct fxt_pf_comm *comms[FXT_PF_COMMS];
	__u32 slots[2 * FXT_PF_COMMS];	/* hash table of indices + 1 by serial */
};

bool fxt_pf_bundle_empty(const struct fxt_pf_cpu *cpu);

/*
 * Makes capacity in the bundle for an event of that time and order, with names of two threads; writes the bundle where
 * need be.  0 or -errno.
 */
int fxt_pf_bundle_ready(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 ns,
			enum fxt_pf_order order);

/* Makes capacity in the bundle of the last event for another event of the same time.  0 or -errno. */
int fxt_pf_bundle_follow(struct fxt_pf_cpu *cpu);

/* Returns the index of a thread's name in the bundle's table. */
__u32 fxt_pf_bundle_comm(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 tid);

/* Returns the name of an index in the bundle's table. */
const char *fxt_pf_bundle_name(const struct fxt_pf_cpu *cpu, __u32 index);

/* Returns a kernel function's number in interned data, and adds the function to the bundle; 0: no number. */
__u32 fxt_pf_bundle_symbol(struct fxt_pf_cpu *cpu, const struct fxt_text *function);

/* Adds a system call in place of a function, by its number in interned data; returns the number, or 0. */
__u32 fxt_pf_bundle_call(struct fxt_pf_cpu *cpu, __u32 number);

/* Returns the text of such a number; NULL: no memory (reason.c). */
char *fxt_pf_call_text(const struct fxt_pf_file *f, __u32 number);

/* An event; field is its message's number in FtraceEvent. */
struct fxt_pf_event {
	__u64 ns;
	__u32 pid;		/* thread that ran there; 0 also where it isn't known */
	__u32 flags;
	__u32 field;
};

/* Returns the CPU's state; NULL: 0 in err where the format can't hold that CPU, or -ENOMEM. */
struct fxt_pf_cpu *fxt_pf_cpu(struct fxt_pf_file *f, __u32 cpu, int *err);

/* Sets the event's thread to the CPU's running thread. */
void fxt_pf_event_running(struct fxt_pf_file *f, const struct fxt_pf_cpu *cpu, struct fxt_pf_event *e);

/* Puts the reason why the thread that was just switched out sleeps, if its switch or an event before has one (reason.c). */
int fxt_pf_blocked_put(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_switch_view *v, __u64 ns);

/*
 * Writes an event of ftrace that fxtrec doesn't interpret as an event of its CPU: 1; 0 where the form can't hold it;
 * -errno (other.c).
 */
int fxt_pf_other_event(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r);

/*
 * Writes the same event also in its own message, if Perfetto has one, so that Perfetto shows slices, counters and
 * states; the reader skips it.  0 or -errno (other.c).
 */
int fxt_pf_typed_event(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r);

/*
 * Returns whether the reader finds the process of an event's thread, which a bundle doesn't have: it is the thread's
 * known process, or else has the thread's id (other.c).
 */
bool fxt_pf_process_follows(const struct fxt_pf_file *f, const struct fxt_record *r);

/*
 * Writes an event as a text that a program wrote to trace_marker: 1; 0 where no text is read back as that event; -errno
 * (print.c).
 */
int fxt_pf_mark_put(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r);

/* Adds an event that is not in the compact form, after fxt_pf_bundle_ready(). */
void fxt_pf_bundle_add(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_pf_event *e,
		       const struct fxt_pf_message *m);

/* Writes a bundle that is not empty, and empties it. */
int fxt_pf_bundle_flush(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu);
void fxt_pf_bundle_free(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu);

#endif
