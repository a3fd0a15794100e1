/* SPDX-License-Identifier: GPL-2.0-only */
/* Where records come from: the module or the eBPF programs, behind one interface. */
#ifndef FXT_SOURCE_SOURCE_H
#define FXT_SOURCE_SOURCE_H

#include "fxt/throttle.h"
#include "source/clock.h"
#include "uapi/fxtrec.h"
#include "util/error.h"
#include "util/patience.h"

struct fxt_filter;
struct fxt_tracepoints;

struct fxt_source_options {
	__u32 data_bytes;	/* of a CPU's rings; a power of two */
	__u32 subbufs;		/* of a CPU; a power of two */
	__u32 events;		/* FXTREC_EVENTS_* beside scheduling */
	const struct fxt_tracepoints *tracepoints;	/* of FXTREC_EVENTS_TRACEPOINTS */
	__u32 stack_states;	/* stacks of which sleeps: as in struct fxtrec_config */
	int clock;		/* enum fxt_linux_clock, or negative for the backend's best */
	int verbose;		/* libraries may write to standard error */
	const struct fxt_filter *filter;	/* NULL: nothing is left out */
	const struct fxtrec_delays *delays;	/* NULL: nothing is watched for */
};

/* A CPU that has rings. */
struct fxt_source_cpu {
	__u32 cpu;
	const struct fxtrec_area *area;
	struct fxtrec_consumer *consumer;
};

struct fxt_source {
	const struct fxt_source_ops *ops;
	void *state;			/* the backend's own */
	enum fxt_linux_clock clock;
	__u64 ticks_per_second;
	__u32 events;			/* FXTREC_EVENTS_* that it records */
	enum fxt_throttling throttling;	/* that it records */
	const struct fxt_tracepoints *tracepoints;
	const struct fxt_filter *filter;	/* NULL: nothing is left out */
	struct fxt_source_cpu *cpus;
	unsigned int cpu_count;
	__u32 cpu_ids;			/* all possible CPUs are below */
	__u64 unrecorded;	/* the most that fxt_source_unrecorded() found */
};

/*
 * A source is opened (names and messages are followed from then on), attached, listed,
 * started, stopped, closed; all but listing once.  0 or -errno with the error set.
 */
struct fxt_source_ops {
	const char *name;		/* "the module", "eBPF" */
	enum fxt_linux_string backend;
	int (*open)(struct fxt_source *source, const struct fxt_source_options *options,
		    struct fxt_error *error);
	/* A descriptor, the caller's, to read to its end: records of all threads. */
	int (*list_threads)(struct fxt_source *source, enum fxtrec_listing listing, struct fxt_error *error);
	/* With a filter of threads: whether one is chosen by its id. */
	int (*follow)(struct fxt_source *source, __u32 tid, int on, struct fxt_error *error);
	/*
	 * Chooses all living threads of a process, and with inheritance those that they create from then on.  Returns
	 * their number; 0 where the producer sees none.
	 */
	int (*follow_process)(struct fxt_source *source, __u32 pid, struct fxt_error *error);
	/* The greatest id, below another, of a thread that is followed, dead or alive; 0: none; negative: not known. */
	int (*followed)(const struct fxt_source *source, __u32 below);
	/*
	 * To what was asked for beside scheduling, which may fail, or take a minute: before there is a file.
	 * -ECANCELED where patience is over.  NULL: nothing to do.
	 */
	int (*attach)(struct fxt_source *source, const struct fxt_patience *patience, struct fxt_error *error);
	int (*start)(struct fxt_source *source, struct fxt_error *error);
	int (*stop)(struct fxt_source *source, struct fxt_error *error);
	/* Events that no CPU's rings could count; before it is stopped. */
	__u64 (*missed)(struct fxt_source *source);
	/* What was counted, by CPU, of all cpu_ids; all zero for those that have rings. */
	void (*late)(const struct fxt_source *source, struct fxtrec_late *table);
	void (*close)(struct fxt_source *source);
};

/*
 * The rings of events (names and messages have their own), in the order in which they
 * are closed; they open in reverse.  So while scheduling is recorded on all CPUs,
 * everything else is, too.
 */
static const enum fxtrec_ring_kind fxt_event_rings[] = { FXTREC_RING_SCHED, FXTREC_RING_EVENTS };
#define FXT_EVENT_RINGS		(sizeof(fxt_event_rings) / sizeof(*fxt_event_rings))

extern const struct fxt_source_ops fxt_source_kmod;
extern const struct fxt_source_ops fxt_source_bpf;

enum fxt_source_choice {
	FXT_SOURCE_AUTO,
	FXT_SOURCE_KMOD,
	FXT_SOURCE_BPF,
};

/*
 * Opens the source of that choice.  For AUTO, why says why it is not the module; it
 * is empty where it is.
 */
int fxt_source_open(struct fxt_source *source, enum fxt_source_choice choice,
		    const struct fxt_source_options *options, struct fxt_error *why,
		    struct fxt_error *error);

/* Bytes of available memory, of which rings may take half; the greatest number where the kernel doesn't say. */
__u64 fxt_source_memory(void);

/* Opens all rings of events of a started source: tail is 0, or FXTREC_OVERWRITE. */
void fxt_source_rings_open(struct fxt_source *source, __u64 tail);

/* Drops the names and messages that are in the INFO rings. */
void fxt_source_info_skip(struct fxt_source *source);

/*
 * Hits of tracepoints that were not recorded, and that no ring counted; unknown hits were
 * not counted as such.  Takes some milliseconds where they are more than before.
 */
__u64 fxt_source_unrecorded(struct fxt_source *source, __u64 unknown);

void fxt_source_close(struct fxt_source *source);

#endif
