/* SPDX-License-Identifier: GPL-2.0-only */
/* What holds from some record on until another says else: each part of a trace that is split begins with it. */
#ifndef FXT_CONVERT_CARRYOVER_H
#define FXT_CONVERT_CARRYOVER_H

#include "codec/record.h"
#include "util/map.h"

/* All zero is empty. */
struct fxt_carryover {
	struct fxt_map processes;	/* by koid: struct fxt_carryover_record */
	struct fxt_map threads;
	struct fxt_carryover_record *first, *last;	/* in the order that they came in */
};

/*
 * Keeps a copy of the record if it stands: the newest names of processes and
 * threads, and what the recorder said of itself and the machine.  -ENOMEM.
 */
int fxt_carryover_take(struct fxt_carryover *carryover, const struct fxt_record *r);

/* Gives each to put(), as of that time; what put() fails with. */
int fxt_carryover_give(const struct fxt_carryover *carryover, __u64 ns,
		      int (*put)(void *state, const struct fxt_record *r), void *state);

void fxt_carryover_uninit(struct fxt_carryover *carryover);

#endif
