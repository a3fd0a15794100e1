/* SPDX-License-Identifier: GPL-2.0-only */
/* Compiles globs of thread names into the automaton that producers match with. */
#ifndef FXT_SELECT_GLOB_H
#define FXT_SELECT_GLOB_H

#include "fxt/glob.h"

/* The most positions that all globs of a recording together may have. */
#define FXT_GLOB_PLACES	64

struct fxt_glob {
	struct fxtrec_glob automaton;
	unsigned int places;	/* in use */
};

/*
 * Adds a glob: the automaton then matches the names that any of its globs matches.  *, ?, [a-z], [!a-z], and \ before a
 * byte that stands for itself.  -EINVAL for a bracket or a \ without its end, -E2BIG where no position is left.
 */
int fxt_glob_add(struct fxt_glob *glob, const char *text);

#endif
