/* SPDX-License-Identifier: GPL-2.0-only */
/* Metadata that is replayed at the start of each part of a split trace. */
#ifndef FXT_CONVERT_CARRYOVER_H
#define FXT_CONVERT_CARRYOVER_H

#include "codec/record.h"
#include "util/map.h"

/* All zero is empty. */
struct fxt_carryover {
	struct fxt_map processes;	/* by koid: struct fxt_carryover_record */
	struct fxt_map threads;
	struct fxt_carryover_record *first, *last;	/* in the order of arrival */
};

/*
 * Keeps a copy of a record of metadata: the newest names of processes and
 * threads, and the recorder's events about itself and the machine.  -ENOMEM.
 */
int fxt_carryover_update(struct fxt_carryover *carryover, const struct fxt_record *r);

/* Passes each to put(), as of that time; returns what put() fails with. */
int fxt_carryover_replay(const struct fxt_carryover *carryover, __u64 ns,
			 int (*put)(void *state, const struct fxt_record *r), void *state);

void fxt_carryover_uninit(struct fxt_carryover *carryover);

#endif
