/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists the states of all threads at a moment. */
#ifndef FXT_DESCRIBE_STATES_H
#define FXT_DESCRIBE_STATES_H

#include "source/idle.h"
#include "source/source.h"
#include "util/error.h"
#include "util/sink.h"

/* Records of the source, each of FXT_STATE_BYTES; all zero is empty. */
struct fxt_states {
	char *records;
	size_t bytes;
};

/* Lists the current states of threads, from a started source.  0 or -errno with the error set. */
int fxt_states_read(struct fxt_states *states, struct fxt_source *source, struct fxt_idle *idle,
		    struct fxt_error *error);

/* Puts the states into the tool's section; since: no event of a thread is missing after these ticks.  -errno. */
int fxt_states_put(const struct fxt_states *states, __u64 since, const struct fxt_sink *to, struct fxt_idle *idle);

void fxt_states_uninit(struct fxt_states *states);

#endif
