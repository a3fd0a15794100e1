/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds tracepoints by their names, and makes tables of their fields, from tracefs. */
#ifndef FXT_SELECT_TRACEPOINTS_H
#define FXT_SELECT_TRACEPOINTS_H

#include "select/events.h"
#include "uapi/fxtrec.h"
#include "util/error.h"

struct fxt_tracepoint_name {
	char *subsystem, *name;
};

struct fxt_tracepoints {
	unsigned int count;
	struct fxtrec_tracepoint *table;
	struct fxt_tracepoint_name *names;
	/* Texts of the file's string table, from FXT_STR_TRACEPOINTS on. */
	char **strings;
	unsigned int string_count;
};

/*
 * Finds all tracepoints that the patterns match, each once.  -ENOENT where a pattern that isn't optional matches no
 * tracepoint, or another -errno; with the error set.
 */
int fxt_tracepoints_init(struct fxt_tracepoints *t, const struct fxt_events *events,
			 struct fxt_error *error);
void fxt_tracepoints_uninit(struct fxt_tracepoints *t);

/*
 * Calls found() for each tracepoint of this kernel that matches, one subsystem after the other, until a call returns
 * not 0.  Returns their number, or a negative value.
 */
int fxt_tracepoints_each(const char *pattern, int (*found)(void *arg, const char *subsystem, const char *name),
			 void *arg);

/* Returns how many tracepoints of this kernel match; negative where tracefs can't be read. */
int fxt_tracepoints_count(const char *pattern);

#endif
