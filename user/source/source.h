/* SPDX-License-Identifier: GPL-2.0-only */
/* Sources of records: the module or the eBPF programs, with one interface. */
#ifndef FXT_SOURCE_SOURCE_H
#define FXT_SOURCE_SOURCE_H

#include "fxt/throttle.h"
#include "source/clock.h"
#include "uapi/fxtrec.h"
#include "util/error.h"
#include "patience/patience.h"

struct fxt_filter;
struct fxt_tracepoints;

struct fxt_source_options {
	__u32 data_bytes;	/* bytes of a CPU's rings; a power of two */
	__u32 subbufs;		/* sub-buffers of a CPU; a power of two */
	__u32 events;		/* FXTREC_EVENTS_* other than scheduling */
	const struct fxt_tracepoints *tracepoints;	/* tracepoints of FXTREC_EVENTS_TRACEPOINTS */
	__u32 stack_states;	/* record stacks of threads that sleep in these states, as in struct fxtrec_config */
	int clock;		/* enum fxt_linux_clock, or negative for the backend's best */
	int verbose;		/* libraries may write to standard error */
	const struct fxt_filter *filter;	/* NULL: everything is recorded */
	const struct fxtrec_delays *delays;	/* NULL: no delays are watched */
	const struct fxtrec_reasons *reasons;	/* NULL: reasons of sleeps aren't recorded */
};

/* A CPU that has rings. */
struct fxt_source_cpu {
	__u32 cpu;
	const struct fxtrec_area *area;
	struct fxtrec_consumer *consumer;
};

struct fxt_source {
	const struct fxt_source_ops *ops;
	void *state;			/* state of the backend */
	enum fxt_linux_clock clock;
	__u64 ticks_per_second;
	__u32 events;			/* FXTREC_EVENTS_* that the source records */
	enum fxt_throttling throttling;	/* throttling that the source records */
	const struct fxt_tracepoints *tracepoints;
	const struct fxt_filter *filter;	/* NULL: everything is recorded */
	struct fxt_source_cpu *cpus;
	unsigned int cpu_count;
	__u32 cpu_ids;			/* greater than the number of any possible CPU */
	__u64 unrecorded;	/* the greatest result of fxt_source_unrecorded() */
};

/*
 * A source is opened (names and messages are followed from then on), attached, listed, started, stopped and closed;
 * each once, except for listing.  0 or -errno with the error set.
 */
struct fxt_source_ops {
	const char *name;		/* "the module", "eBPF" */
	enum fxt_linux_string backend;
	int (*open)(struct fxt_source *source, const struct fxt_source_options *options,
		    struct fxt_error *error);
	/* Returns a descriptor, owned by the caller, to read the records of all threads from. */
	int (*list_threads)(struct fxt_source *source, enum fxtrec_listing listing, struct fxt_error *error);
	/* With a filter of threads: chooses a thread by its id, or undoes that. */
	int (*follow)(struct fxt_source *source, __u32 tid, int on, struct fxt_error *error);
	/*
	 * Chooses all living threads of a process and, with inheritance, the threads that they create from then on.
	 * Returns their number; 0 where the producer sees none.
	 */
	int (*follow_process)(struct fxt_source *source, __u32 pid, struct fxt_error *error);
	/*
	 * Returns the greatest id below another one of a followed thread, dead or alive; 0: no such thread; negative:
	 * unknown.
	 */
	int (*followed)(const struct fxt_source *source, __u32 below);
	/*
	 * Attaches to the events other than scheduling, which may fail, or take a minute: so it is done before a file
	 * exists.  -ECANCELED where patience is over.  NULL: nothing to do.
	 */
	int (*attach)(struct fxt_source *source, const struct fxt_patience *patience, struct fxt_error *error);
	int (*start)(struct fxt_source *source, struct fxt_error *error);
	int (*stop)(struct fxt_source *source, struct fxt_error *error);
	/* Returns the events that no CPU's rings could count; before the source is stopped. */
	__u64 (*missed)(struct fxt_source *source);
	/* Fills the table of counts by CPU, for all cpu_ids; all zero for CPUs that have rings. */
	void (*late)(const struct fxt_source *source, struct fxtrec_late *table);
	void (*close)(struct fxt_source *source);
};

/*
 * The rings of events (names and messages have a ring of their own), in the order of closing; they open in reverse
 * order.  So while scheduling is recorded on all CPUs, all other events are recorded, too.
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

/* Opens the source of that choice.  For AUTO, why is the reason not to use the module; empty if the module is used. */
int fxt_source_open(struct fxt_source *source, enum fxt_source_choice choice,
		    const struct fxt_source_options *options, struct fxt_error *why,
		    struct fxt_error *error);

/*
 * Returns the bytes of available memory, which rings may use half of; the greatest number where the kernel doesn't
 * report it.
 */
__u64 fxt_source_memory(void);

/* Opens all rings of events of a started source: tail is 0, or FXTREC_OVERWRITE. */
void fxt_source_rings_open(struct fxt_source *source, __u64 tail);

/* Drops the names and messages that are in the INFO rings. */
void fxt_source_info_skip(struct fxt_source *source);

/*
 * Returns the hits of tracepoints that were not recorded, and that no ring counted; unknown hits were not counted as
 * such.  Takes some milliseconds where the number grew.
 */
__u64 fxt_source_unrecorded(struct fxt_source *source, __u64 unknown);

void fxt_source_close(struct fxt_source *source);

#endif
