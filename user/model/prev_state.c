// SPDX-License-Identifier: GPL-2.0-only
/* Decodes the bits of sched_switch's prev_state: of new kernels, of old kernels, and by the tracepoint's format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/prev_state.h"

const struct fxt_prev_states fxt_prev_states_new = {
	{ FXT_LINUX_S, FXT_LINUX_D, FXT_LINUX_T, FXT_LINUX_TRACED, FXT_LINUX_X, FXT_LINUX_Z, FXT_LINUX_P, FXT_LINUX_I },
	0xff,
};

/* S, D, T, t, X, Z, x, K, W, P.  N never occurs alone, so its bit is TASK_STATE_MAX too, as before 4.2. */
const struct fxt_prev_states fxt_prev_states_old = {
	{ FXT_LINUX_S, FXT_LINUX_D, FXT_LINUX_T, FXT_LINUX_TRACED, FXT_LINUX_X, FXT_LINUX_Z, FXT_LINUX_X, FXT_LINUX_D,
	  FXT_LINUX_D, FXT_LINUX_P },
	0x3ff,
};

#define NUMBER(arg, name, letter, fxt, letter_is, bit)	bit,
static const struct fxt_prev_numbers numbers_new = { { FXT_LINUX_STATES(NUMBER, ) }, 0x100 };

/*
 * Numbers of R, S, D, T, t, X, Z, P, and of D for I.  The kernels with TASK_NEW (4.8) and
 * those before it differ in TASK_STATE_MAX.
 */
#define NUMBERS_OLD	{ 0, 0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x200, 0x2 }
static const struct fxt_prev_numbers numbers_4_8 = { NUMBERS_OLD, 0x1000 }, numbers_old = { NUMBERS_OLD, 0x800 };

/* Returns whether a text is a release, and older than major.minor. */
static bool is_before(const char *release, unsigned int major, unsigned int minor)
{
	unsigned int is[2];

	return release && sscanf(release, "%3u.%3u", &is[0], &is[1]) == 2 &&
	       (is[0] < major || (is[0] == major && is[1] < minor));
}

const struct fxt_prev_states *fxt_prev_states_of(const char *release)
{
	return is_before(release, 4, 14) ? &fxt_prev_states_old : &fxt_prev_states_new;
}

const struct fxt_prev_numbers *fxt_prev_numbers_of(const char *release)
{
	return is_before(release, 4, 8) ? &numbers_old : is_before(release, 4, 14) ? &numbers_4_8 : &numbers_new;
}

int fxt_prev_state_letter(char letter)
{
#define LETTER(arg, name, letter, fxt, letter_is, bit)	letter
	static const char letters[] = FXT_LINUX_STATES(LETTER, );
	const char *found;

	if (letter == 'x')
		return FXT_LINUX_X;
	if (letter && strchr("KWN", letter))
		return FXT_LINUX_D;
	found = letter ? strchr(letters, letter) : NULL;
	return found ? (int)(found - letters) : -1;
}

void fxt_prev_states_add(struct fxt_prev_states *states, const char *number, const char *letter)
{
	unsigned long bit = strtoul(number, NULL, 0);
	int state = letter[0] && !letter[1] ? fxt_prev_state_letter(*letter) : -1;

	if (state < 0 || !bit || bit & (bit - 1) || bit >> FXT_PREV_STATE_BITS)
		return;
	states->state[__builtin_ctzl(bit)] = state;
	states->known |= bit;
}

void fxt_prev_states_parse(struct fxt_prev_states *states, const char *text, size_t bytes)
{
	const char *at = text, *end = text + bytes;

	*states = (struct fxt_prev_states){ 0 };
	while ((at = memchr(at, '{', end - at))) {
		char pair[32], number[16], letter[2];
		size_t room = end - ++at;

		snprintf(pair, sizeof(pair), "%.*s", room < sizeof(pair) ? (int)room : (int)sizeof(pair) - 1, at);
		if (sscanf(pair, " %15[0-9a-fx] , \"%1[^\"]\" }", number, letter) == 2)
			fxt_prev_states_add(states, number, letter);
	}
}
