/* SPDX-License-Identifier: GPL-2.0-only */
/* Values that an option can have on this machine, for a shell to complete. */
#ifndef FXT_COMPLETE_VALUES_H
#define FXT_COMPLETE_VALUES_H

#include <stdbool.h>

/* Receives a value and its description, "" for none; ignores values that don't start with the word. */
struct fxt_values {
	void (*add)(void *arg, const char *value, const char *what);
	void *arg;
	const char *word;	/* start of the value, as typed so far */
};

/* Adds groups of events, "subsystem:" and, after that, tracepoints, as far as tracefs is readable. */
void fxt_values_events(const struct fxt_values *to);

/* Adds ids of processes, or of all threads, with their names; only tasks of that name if it isn't NULL. */
void fxt_values_tasks(const struct fxt_values *to, bool processes, const char *name);

/* Adds names of threads, each once. */
void fxt_values_comms(const struct fxt_values *to);

/* Adds control groups of version 2 in the folder of the word. */
void fxt_values_cgroups(const struct fxt_values *to);

/* Adds the present CPUs. */
void fxt_values_cpus(const struct fxt_values *to);

#endif
