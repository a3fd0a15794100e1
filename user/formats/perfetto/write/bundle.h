/* SPDX-License-Identifier: GPL-2.0-only */
/* A CPU's scheduling events, in Perfetto's compact form where possible. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_BUNDLE_H
#define FXT_CONVERT_PERFETTO_WRITE_BUNDLE_H

#include "formats/perfetto/write/message.h"
#include "formats/perfetto/write/write.h"

/* Names of a bundle, and kernel functions that its events refer to. */
#define FXT_PF_COMMS	256u
#define FXT_PF_SYMBOLS	64u

/* In a bundle, events of one time are read in this order. */
enum fxt_pf_order {
	FXT_PF_SWITCH,
	FXT_PF_WAKING,
	FXT_PF_FULL,
};

/* Columns of all switches, or of all wakings, as in the packet. */
struct fxt_pf_column {
	size_t count;
	__u64 last;		/* time of the last, from which the next is a delta */
	uint64_t *time;		/* of the packet's types */
	int64_t *state;		/* switches */
	int32_t *pid;
	int32_t *prio;
	int32_t *target;		/* wakings */
	uint32_t *comm;
	uint32_t *flags;		/* wakings */
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

struct fxt_pf_cpu {
	__u32 cpu;
	bool lost;		/* events before this bundle's */
	__u64 lost_records;	/* of the whole trace */
	/* The running thread, once there was a switch. */
	bool running_known;
	__u64 running;
	__s32 running_prio;
	__u32 running_input;	/* the recording that says so: in another one it may run no more */
	/* Handlers and softirqs that began as the kernel's events, until they end. */
	struct fxt_pf_text_held handler;
	__s32 handler_irq;
	bool handling;
	__u32 handlers_within;	/* others that began since: slices of the track's thread */
	__u32 softirq;		/* its number + 1; 0: none */
	__u32 softirqs_within;
	/* What is said of the thread that goes to sleep next. */
	bool blocking;
	__u64 blocked;
	__u32 iowait;
	struct fxt_text function;
	/* The bundle */
	__u64 first;		/* time of its first event */
	__u64 last;
	enum fxt_pf_order last_order;
	size_t room;		/* of each column */
	struct fxt_pf_column switches;
	struct fxt_pf_column wakings;
	bool flagged;		/* a waking has flags */
	struct fxt_pf_events events;
	size_t symbol_count;
	struct fxt_text symbols[FXT_PF_SYMBOLS];
	size_t comm_count;
	struct fxt_pf_comm *comms[FXT_PF_COMMS];
	__u32 slots[2 * FXT_PF_COMMS];	/* hash table of indices + 1 by serial */
};

bool fxt_pf_bundle_empty(const struct fxt_pf_cpu *cpu);

/*
 * Makes room in the bundle for an event of that time and order, with names of two
 * threads; writes the bundle where need be.  0 or -errno.
 */
int fxt_pf_bundle_ready(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 ns,
			enum fxt_pf_order order);

/* The index of a thread's name in the bundle's table. */
__u32 fxt_pf_bundle_comm(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 tid);

/* The name of the bundle's index. */
const char *fxt_pf_bundle_name(const struct fxt_pf_cpu *cpu, __u32 index);

/* A kernel function's number in interned data, which the bundle then has; 0: none. */
__u32 fxt_pf_bundle_symbol(struct fxt_pf_cpu *cpu, const struct fxt_text *function);

/* An event; field is its message's, among those of ftrace's events. */
struct fxt_pf_event {
	__u64 ns;
	__u32 pid;		/* what ran there; 0 as well where that isn't known */
	__u32 flags;
	__u32 field;
};

/* The CPU's state; NULL: 0 in err where the format can't hold that CPU, or -ENOMEM. */
struct fxt_pf_cpu *fxt_pf_cpu(struct fxt_pf_file *f, __u32 cpu, int *err);

/* Sets the event's thread to the one that runs there. */
void fxt_pf_event_running(struct fxt_pf_file *f, const struct fxt_pf_cpu *cpu, struct fxt_pf_event *e);

/* kernel.c: why the thread that was just switched out sleeps, if that was told before. */
int fxt_pf_blocked_put(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_switch_view *v, __u64 ns);

/*
 * other.c: 1 where the event, one of ftrace that nothing interprets, is written as one of its CPU; 0 where the
 * form can't hold it; -errno.
 */
int fxt_pf_other_event(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r);

/*
 * other.c: the same event besides in the message that Perfetto has for it, if any, of which it
 * makes slices, counters and states; the reader passes over it.  0 or -errno.
 */
int fxt_pf_typed_event(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r);

/*
 * other.c: whether the reader finds the process of an event's thread, which a bundle doesn't have: by the thread, or
 * it takes the thread for a process.
 */
bool fxt_pf_process_follows(const struct fxt_pf_file *f, const struct fxt_record *r);

/*
 * print.c: 1 where the event is written as a text that a program wrote to trace_marker; 0 where no such text is read
 * as that event; -errno.
 */
int fxt_pf_mark_put(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r);

/* Adds an event that is not in the compact form, after fxt_pf_bundle_ready(). */
void fxt_pf_bundle_add(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_pf_event *e,
		       const struct fxt_pf_message *m);

/* Writes a bundle that is not empty, and empties it. */
int fxt_pf_bundle_flush(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu);
void fxt_pf_bundle_free(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu);

#endif
