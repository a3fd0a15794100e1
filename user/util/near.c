// SPDX-License-Identifier: GPL-2.0-only
/* Finds the name that is nearest to a word by its spelling. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "util/near.h"

/* Longer words aren't compared for typing errors. */
#define LETTERS_MAX	40u

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Counts the letters that are missing, surplus, different, or exchanged with the next one, between a and b in any case.
 */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int row[3][LETTERS_MAX + 1], i, j, rows = strlen(a), columns = strlen(b);

	if (rows > LETTERS_MAX || columns > LETTERS_MAX)
		return LETTERS_MAX;
	for (j = 0; j <= columns; j++)
		row[0][j] = j;
	for (i = 1; i <= rows; i++) {
		unsigned int *now = row[i % 3], *before = row[(i + 2) % 3];

		now[0] = i;
		for (j = 1; j <= columns; j++) {
			now[j] = least(before[j - 1] + !same(a[i - 1], b[j - 1]), least(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				now[j] = least(now[j], row[(i + 1) % 3][j - 2] + 1);
		}
	}
	return row[rows % 3][columns];
}

void fxt_near_init(struct fxt_near *n, const char *word)
{
	size_t length = strlen(word);

	*n = (struct fxt_near){ .word = word, .distance = length < 2 ? 0 : length < 4 ? 1 : 1 + length / 4 };
}

void fxt_near_try(struct fxt_near *n, const char *candidate)
{
	size_t length = strlen(n->word);
	unsigned int errors = distance(n->word, candidate);

	/* A candidate is near if it starts with the word, or the word starts with the candidate. */
	if (length > 1 && !strncasecmp(candidate, n->word, length))
		errors = least(errors, 1);
	if (strlen(candidate) > 2 && !strncasecmp(candidate, n->word, strlen(candidate)))
		errors = least(errors, 2);
	if (errors > n->distance || (n->best && errors == n->distance))
		return;
	n->best = candidate;
	n->distance = errors;
}

const char *fxt_near_text(char text[FXT_NEAR_BYTES], const struct fxt_near *n)
{
	*text = '\0';
	if (n->best)
		snprintf(text, FXT_NEAR_BYTES, ": did you mean \"%s\"?", n->best);
	return text;
}

const char *fxt_near_hint(char text[FXT_NEAR_BYTES], const char *word, const char *const *names)
{
	struct fxt_near near;

	fxt_near_init(&near, word);
	for (; *names; names++)
		fxt_near_try(&near, *names);
	return fxt_near_text(text, &near);
}
