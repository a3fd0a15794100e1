/* SPDX-License-Identifier: GPL-2.0-only */
/* The figures of a run of a program: its own part, and the foreign part. */
#ifndef FXT_ANALYZE_GATE_RUN_H
#define FXT_ANALYZE_GATE_RUN_H

#include <stddef.h>

#include <linux/types.h>

/* Figures: identifier, name in JSON, words of the table.  Those up to OWN are judged, except WALL. */
#define FXT_GATE_FIGURES(ROW)						\
	ROW(WALL, "wall_ns", "wall time")				\
	ROW(CPU, "cpu_ns", "own CPU time")				\
	ROW(INSTRUCTIONS, "instructions", "own instructions")		\
	ROW(OWN, "own_ns", "own time")					\
	/* Parts of OWN: times on the critical path. */			\
	ROW(RAN, "ran_ns", "ran")					\
	ROW(CROWD, "crowd_ns", "waited for own threads")		\
	ROW(TIMER, "timer_ns", "slept")					\
	ROW(LOCK, "lock_ns", "lock")					\
	ROW(DISK, "disk_ns", "disk")					\
	ROW(NETWORK, "network_ns", "network")				\
	ROW(PIPE, "pipe_ns", "pipe")					\
	ROW(MEMORY, "memory_ns", "memory")				\
	ROW(CHILD, "child_ns", "child")					\
	ROW(STOPPED, "stopped_ns", "stopped")				\
	ROW(KERNEL, "kernel_ns", "kernel")				\
	ROW(OTHER, "other_ns", "other sleep")				\
	ROW(SERVED, "served_ns", "other programs worked for it")	\
	/* Parts of the foreign part. */				\
	ROW(QUEUE, "queue_ns", "waited for a CPU")			\
	ROW(THROTTLED, "throttled_ns", "throttled")			\
	ROW(INTERRUPTS, "interrupts_ns", "interrupts")			\
	ROW(STOLEN, "stolen_ns", "stolen by the hypervisor")		\
	ROW(LATE, "late_ns", "late on an idle CPU")			\
	/* No part. */							\
	ROW(UNKNOWN, "unknown_ns", "not known")				\
	ROW(YARDSTICK, "yardstick_ns", "yardstick")

#define FXT_GATE_ENUM(id, name, words)	FXT_GATE_##id,
enum fxt_gate_figure {
	FXT_GATE_FIGURES(FXT_GATE_ENUM)
	FXT_GATE_FIGURE_COUNT,
};

extern const char *const fxt_gate_names[], *const fxt_gate_words[];

/* A run: ns, or a number of instructions; 0: none, or not measured. */
struct fxt_gate_run {
	__u64 of[FXT_GATE_FIGURE_COUNT];
};

/* Runs in the order of time. */
struct fxt_gate_runs {
	struct fxt_gate_run *runs;
	size_t count;
};

/* Adds a run.  Returns 0 or -ENOMEM. */
int fxt_gate_runs_put(struct fxt_gate_runs *runs, const struct fxt_gate_run *run);

/* Returns the foreign part of a run in ns, and its share of that and of OWN. */
__u64 fxt_gate_run_foreign(const struct fxt_gate_run *run);
double fxt_gate_run_share(const struct fxt_gate_run *run);

#endif
