/* SPDX-License-Identifier: GPL-2.0-only */
/* Values that an option can have on this machine, for a shell to complete. */
#ifndef FXT_COMPLETE_VALUES_H
#define FXT_COMPLETE_VALUES_H

#include <stdbool.h>

/* Takes a value and what it is, "" for nothing; of values that don't begin as the word it takes none. */
struct fxt_values {
	void (*add)(void *arg, const char *value, const char *what);
	void *arg;
	const char *word;	/* what there is of the value already */
};

/* Groups of events, "subsystem:" and, behind that, tracepoints; as tracefs may be read. */
void fxt_values_events(const struct fxt_values *to);

/* Ids of processes, or of all threads, with their names; of one name alone where that isn't NULL. */
void fxt_values_tasks(const struct fxt_values *to, bool processes, const char *name);

/* Names of threads, each once. */
void fxt_values_comms(const struct fxt_values *to);

/* Control groups of version 2 in the folder of the word. */
void fxt_values_cgroups(const struct fxt_values *to);

/* CPUs that are present. */
void fxt_values_cpus(const struct fxt_values *to);

#endif
