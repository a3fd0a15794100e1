/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the name that is nearest to a word by its spelling. */
#ifndef FXT_UTIL_NEAR_H
#define FXT_UTIL_NEAR_H

#include <stddef.h>

struct fxt_near {
	const char *word;
	const char *best;	/* the nearest candidate so far; NULL: all are too far */
	unsigned int distance;	/* typing errors between word and best; without best, the limit for a near name */
};

/* Starts a search.  The word has to stay valid, and each candidate until best was read. */
void fxt_near_init(struct fxt_near *near, const char *word);
void fxt_near_try(struct fxt_near *near, const char *candidate);

/*
 * Returns text with ": did you mean "NAME"?", with the nearest of names, a list that ends with NULL; "" where all are
 * too far.
 */
#define FXT_NEAR_BYTES	128u
const char *fxt_near_hint(char text[FXT_NEAR_BYTES], const char *word, const char *const *names);
const char *fxt_near_text(char text[FXT_NEAR_BYTES], const struct fxt_near *near);

#endif
