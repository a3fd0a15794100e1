/* SPDX-License-Identifier: GPL-2.0-only */
/* The recording, at most one at a time: its rings and its probes. */
#ifndef FXT_RECORDING_H
#define FXT_RECORDING_H

#include <linux/mutex.h>

#include "env.h"

enum fxt_recording_state {
	FXT_IDLE,	/* no rings, no probes */
	FXT_ARMED,	/* rings, probes of names and messages */
	FXT_RUNNING,	/* rings, all probes */
	FXT_STOPPED,	/* rings, no probes */
};

/* Rings of a CPU; both NULL for a CPU that was not present. */
struct fxt_rings {
	struct fxtrec_area *area;
	struct fxtrec_consumer *consumer;
};

struct fxt_recording {
	enum fxt_recording_state state;
	unsigned int cpu_count;
	u32 events;
	size_t area_bytes;
	struct fxt_rings *rings;	/* by CPU */
};

/* The structures that a configuration refers to, in the module's memory; NULL: none. */
struct fxt_arguments {
	struct fxtrec_filter *filter;
	struct fxtrec_delays *delays;
	struct fxtrec_reasons *reasons;
	struct fxtrec_throttle *throttle;
};

/*
 * Guards the recording.  Probes don't take this lock: they run only between arm and stop.  No user memory is
 * accessed while it is held: a page that its owner never provides would block all other users of the lock.
 */
extern struct mutex fxt_recording_lock;
extern struct fxt_recording fxt_recording;

/* All of these functions need the lock, and return 0 or -errno. */
/* Arms the recording; the addresses in config aren't read. */
int fxt_recording_arm(struct fxtrec_config *config, const struct fxt_arguments *arguments);
int fxt_recording_start(void);
int fxt_recording_stop(void);
void fxt_recording_free(void);
void fxt_recording_stats(struct fxtrec_stats *stats);
/* Fills a table of count CPUs. */
int fxt_recording_late(struct fxtrec_late *table, u32 count);

#endif
