/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums the phases of each thread and CPU in each lap, for laps.c. */
#ifndef FXT_ANALYZE_LAPS_SUMS_H
#define FXT_ANALYZE_LAPS_SUMS_H

#include "analyze/laps.h"

extern const struct fxt_observer_ops fxt_laps_ops;

/* Adds the part [from, to) of a task's interval to a lap.  Returns 0 or -ENOMEM. */
int fxt_lap_part(struct fxt_laps *laps, struct fxt_lap *lap, struct fxt_interval *i, __u64 from, __u64 to);

/* Adds a throttled part of a task's wait to a lap.  Returns 0 or -ENOMEM. */
int fxt_lap_throttled(struct fxt_laps *laps, struct fxt_lap *lap, struct fxt_task *task, __u64 from, __u64 to);

/* Adds the part [from, to) of a CPU's stretch to a lap.  Returns 0 or -ENOMEM. */
int fxt_lap_stretch(struct fxt_lap *lap, struct fxt_cpu_stretch *s, __u64 from, __u64 to);

/* Sets a task's life in a lap, if they overlap: up to its end, or to ~0.  Returns 0 or -ENOMEM. */
int fxt_lap_life(struct fxt_laps *laps, struct fxt_lap *lap, struct fxt_task *task, __u64 end);

/* Finds or adds a CPU's load in a lap; NULL: -ENOMEM. */
struct fxt_load *fxt_lap_load(struct fxt_lap *lap, struct fxt_cpu *cpu);

/* Recycles tasks that died before all laps: only living threads, as their wakers, may refer to them. */
void fxt_laps_forget(struct fxt_laps *laps);

/* Frees a lap, the oldest one. */
void fxt_lap_free(struct fxt_laps *laps, struct fxt_lap *lap);

#endif
