/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the figures of runs from a recording: each run is a process, and all that it creates. */
#ifndef FXT_ANALYZE_GATE_TRACE_H
#define FXT_ANALYZE_GATE_TRACE_H

#include "analyze/gate/run.h"
#include "analyze/path/path.h"

/* A run as its parent process measured it. */
struct fxt_gate_process {
	__u64 pid;
	__u64 cpu;		/* ns of CPU time of the process, and of its children that it waited for */
	struct fxt_gate_run *run;	/* WALL, INSTRUCTIONS and YARDSTICK are set; the others are filled in */
	/* State of the analysis. */
	struct fxt_task *task;	/* NULL: not seen */
	__u64 ran, interrupts;	/* ns of its threads on CPUs, and of interrupts in that time */
	__u64 unknown;		/* ns of its threads that aren't known */
	bool orphans;		/* a process of it outlives the run: cpu lacks its time */
};

struct fxt_gate_trace {
	struct fxt_machine *m;
	unsigned int slot;		/* index in data[] */
	struct fxt_path path;
	struct fxt_selection selection;	/* threads of the processes */
	struct fxt_map processes;	/* by id */
};

/* Initializes with observers of the machine.  Returns 0 or -ENOMEM; uninit has to follow. */
int fxt_gate_trace_init(struct fxt_gate_trace *trace, struct fxt_machine *m, struct fxt_gate_process *processes,
			size_t count);
void fxt_gate_trace_uninit(struct fxt_gate_trace *trace);

/* Fills the runs after the machine's end.  Returns 0 or -errno. */
int fxt_gate_trace_settle(struct fxt_gate_trace *trace, struct fxt_gate_process *processes, size_t count);

#endif
