/* SPDX-License-Identifier: GPL-2.0-only */
/* Compiles globs of thread names into the automaton that producers match with. */
#ifndef FXT_SELECT_GLOB_H
#define FXT_SELECT_GLOB_H

#include "fxt/glob.h"

/* Places that all globs of a recording together may have. */
#define FXT_GLOB_PLACES	64

struct fxt_glob {
	struct fxtrec_glob automaton;
	unsigned int places;	/* in use */
};

/*
 * Adds a glob: the automaton matches what any of them matches.  *, ?, [a-z], [!a-z], and \ before a
 * byte that is to stand for itself.  -EINVAL for a bracket or a \ without its
 * end, -E2BIG where there is no place left.
 */
int fxt_glob_add(struct fxt_glob *glob, const char *text);

#endif
