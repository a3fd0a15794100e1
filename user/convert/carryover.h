/* SPDX-License-Identifier: GPL-2.0-only */
/* What holds from some record on until another says else: each part of a trace that is split begins with it. */
#ifndef FXT_CONVERT_CARRYOVER_H
#define FXT_CONVERT_CARRYOVER_H

#include "codec/record.h"
#include "util/map.h"

/* All zero is empty. */
struct fxt_standing {
	struct fxt_map processes;	/* by koid: struct fxt_standing_record */
	struct fxt_map threads;
	struct fxt_standing_record *first, *last;	/* in the order that they came in */
};

/*
 * Keeps a copy of the record if it stands: the newest names of processes and
 * threads, and what the recorder said of itself and the machine.  -ENOMEM.
 */
int fxt_standing_take(struct fxt_standing *standing, const struct fxt_record *r);

/* Gives each to put(), as of that time; what put() fails with. */
int fxt_standing_give(const struct fxt_standing *standing, __u64 ns,
		      int (*put)(void *state, const struct fxt_record *r), void *state);

void fxt_standing_uninit(struct fxt_standing *standing);

#endif
