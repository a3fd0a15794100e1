/* SPDX-License-Identifier: GPL-2.0-only */
/* A CPU's scheduling events, in Perfetto's compact form where possible. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_BUNDLE_H
#define FXT_CONVERT_PERFETTO_WRITE_BUNDLE_H

#include "convert/perfetto/write.h"

/* Names of a bundle, and its events that the compact form can't hold. */
#define FXT_PF_COMMS	256u
#define FXT_PF_FULLS	64u

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

struct fxt_pf_full {
	Pf__FtraceEvent event;
	union {
		Pf__SchedSwitch sw;
		Pf__SchedWakeup wakeup;
		Pf__SchedMigrateTask migrate;
		Pf__TaskNewtask task;
	};
};

struct fxt_pf_cpu {
	__u32 cpu;
	bool lost;		/* events before this bundle's */
	/* The running thread, once there was a switch. */
	bool running_known;
	__u64 running;
	__s32 running_prio;
	/* The bundle */
	__u64 first;		/* time of its first event */
	__u64 last;
	enum fxt_pf_order last_order;
	size_t room;		/* of each column */
	struct fxt_pf_column switches;
	struct fxt_pf_column wakings;
	bool flagged;		/* a waking has flags */
	size_t full_count;
	struct fxt_pf_full full[FXT_PF_FULLS];
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

/* A new event that is not in the compact form; the caller sets the union and the event. */
struct fxt_pf_full *fxt_pf_bundle_full(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, __u64 ns);

/* Writes a bundle that is not empty, and empties it. */
int fxt_pf_bundle_flush(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu);
void fxt_pf_bundle_free(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu);

#endif
