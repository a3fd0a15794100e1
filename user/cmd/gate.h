/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of "fxtrec gate": the runs of commands beside a recorder, and the stored results. */
#ifndef FXT_CMD_GATE_H
#define FXT_CMD_GATE_H

#include <stdbool.h>
#include <sys/types.h>

#include "analyze/gate/run.h"
#include "util/error.h"

enum gate_side { GATE_AGAINST, GATE_COMMAND, GATE_SIDES };

/* Runs of one command, or of two in turn. */
struct gate_bench {
	char **commands[GATE_SIDES];	/* AGAINST is NULL where one command runs */
	struct fxt_gate_runs runs[GATE_SIDES];
	bool counters;			/* the processor's counters have instructions */
};

/* Runs each command once, unrecorded, so that its files are in memory.  0 or -errno with the error set. */
int gate_bench_open(struct gate_bench *bench, struct fxt_error *error);

/*
 * Records runs, in turn and in random order, until end (CLOCK_MONOTONIC, ns) or each command has had max runs.  0 or
 * -errno with the error set (-EINTR: a signal asked for the end), or FXT_FAILED where a command failed, reported.
 */
int gate_bench_round(struct gate_bench *bench, __u64 end, size_t max, struct fxt_error *error);

void gate_bench_close(struct gate_bench *bench);

/* A recorder in a process of its own. */
struct gate_recorder {
	char folder[256];		/* folder of the files */
	char file[280], messages[280];	/* the recording, and the recorder's standard error */
	pid_t pid;
};

/* Starts a recorder, and waits until it records.  0 or -errno with the error set; -EINTR: a signal came. */
int gate_recorder_start(struct gate_recorder *recorder, struct fxt_error *error);

/* Ends the recording.  0 or -errno with the error set; remove has to follow, once the recording is read. */
int gate_recorder_stop(const struct gate_recorder *recorder, struct fxt_error *error);
void gate_recorder_remove(const struct gate_recorder *recorder);

/* Reads the runs of a file that the command wrote.  against: gets those of the other command; NULL: ignored. */
int gate_read(const char *path, struct fxt_gate_runs *runs, struct fxt_gate_runs *against, struct fxt_error *error);

/* Reads a file, or all files *.json of a folder, as the sessions of a baseline: a heap array. */
int gate_read_sessions(const char *path, struct fxt_gate_runs **sessions, size_t *count, struct fxt_error *error);

#endif
