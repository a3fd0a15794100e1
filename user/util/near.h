/* SPDX-License-Identifier: GPL-2.0-only */
/* The name that is nearest to a word, by its spelling. */
#ifndef FXT_UTIL_NEAR_H
#define FXT_UTIL_NEAR_H

#include <stddef.h>

struct fxt_near {
	const char *word;
	const char *best;	/* the nearest candidate so far; NULL: all are too far */
	unsigned int distance;	/* its number of typing errors; of a far one, the greatest number that is near */
};

/* The word has to stay, and each candidate until best was read. */
void fxt_near_init(struct fxt_near *near, const char *word);
void fxt_near_try(struct fxt_near *near, const char *candidate);

/* Tries the words of a list as "a|b|c"; the list's copy has to stay, and is cut into its words. */
void fxt_near_list(struct fxt_near *near, char *list);

/*
 * Returns text with ": did you mean "NAME"?", by the nearest of names, of which NULL is the last; "" where all are too
 * far.
 */
#define FXT_NEAR_BYTES	128u
const char *fxt_near_hint(char text[FXT_NEAR_BYTES], const char *word, const char *const *names);
const char *fxt_near_text(char text[FXT_NEAR_BYTES], const struct fxt_near *near);

#endif
