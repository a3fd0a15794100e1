/* SPDX-License-Identifier: GPL-2.0-only */
/* What each thread and CPU did in each lap, in sums: of laps.c. */
#ifndef FXT_ANALYZE_LAPS_SUMS_H
#define FXT_ANALYZE_LAPS_SUMS_H

#include "analyze/laps.h"

extern const struct fxt_observer_ops fxt_laps_ops;

/* Adds to a lap [from, to) of a part of a task's life, which began and ended as the interval says.  0 or -ENOMEM. */
int fxt_lap_part(struct fxt_laps *laps, struct fxt_lap *lap, struct fxt_interval *i, __u64 from, __u64 to);

/* Adds a part of a wait in which the task was throttled. */
int fxt_lap_throttled(struct fxt_laps *laps, struct fxt_lap *lap, struct fxt_task *task, __u64 from, __u64 to);

/* The same of what a CPU ran. */
int fxt_lap_stretch(struct fxt_lap *lap, struct fxt_cpu_stretch *s, __u64 from, __u64 to);

/* Sets a task's life in a lap, if it has any: up to its end, or to ~0.  0 or -ENOMEM. */
int fxt_lap_life(struct fxt_laps *laps, struct fxt_lap *lap, struct fxt_task *task, __u64 end);

/* A CPU's load in a lap; NULL: -ENOMEM. */
struct fxt_load *fxt_lap_load(struct fxt_lap *lap, struct fxt_cpu *cpu);

/* Gives back tasks that died before all laps: nothing but live threads, which they woke, refers to them. */
void fxt_laps_forget(struct fxt_laps *laps);

/* Gives all of a lap back, the oldest one. */
void fxt_lap_free(struct fxt_laps *laps, struct fxt_lap *lap);

#endif
