/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of the objects that threads wait for, from the recorder's events "object", wherever a file has them. */
#ifndef FXT_ANALYZE_MACHINE_WAIT_NAMES_H
#define FXT_ANALYZE_MACHINE_WAIT_NAMES_H

#include "analyze/machine/tasks.h"
#include "model/wait.h"

/* Limit of objects with a name, for a machine. */
#define FXT_WAIT_NAMES_MAX	65536u
/* Processes that a pipe's end is named by; the others are counted. */
#define FXT_WAIT_ENDS		2u

/* All zero is empty; the memory is that of the tasks. */
struct fxt_wait_names {
	struct fxt_map map;	/* struct fxt_wait_name by its key */
	struct fxt_wait_name *first, *last;	/* list in the order of the first events */
};

/* Reads an event "object".  Returns 0 or -ENOMEM. */
int fxt_wait_names_event(struct fxt_wait_names *names, struct fxt_tasks *tasks, const struct fxt_record *r);

/*
 * Writes the name of a reason's object: a path, "logger > cat" for a pipe, "127.0.0.1:80 > 127.0.0.1:5000", "client >
 * server /run/db.sock" for a Unix socket; "" if it isn't known.  Complete only after the last record, as the recorder names objects at its end.  Returns text.
 */
#define FXT_WAIT_NAME_BYTES	1024u
const char *fxt_wait_name(char text[FXT_WAIT_NAME_BYTES], const struct fxt_wait_names *names,
			  const struct fxt_tasks *tasks, const struct fxt_sleep_reason *reason);

/*
 * Calls each() with every object, as the reason of a sleep has it, and the time of its first event; with a file twice,
 * as it may be a directory.  Returns 0, or the error of each().
 */
int fxt_wait_names_each(const struct fxt_wait_names *names,
			int (*each)(void *arg, const struct fxt_sleep_reason *object, __u64 ns), void *arg);

void fxt_wait_names_uninit(struct fxt_wait_names *names);

#endif
