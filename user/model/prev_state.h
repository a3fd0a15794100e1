/* SPDX-License-Identifier: GPL-2.0-only */
/* What the numbers of sched_switch's prev_state mean, which kernels before 4.14 had other bits for. */
#ifndef FXT_MODEL_PREV_STATE_H
#define FXT_MODEL_PREV_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "fxt/linux.h"

#define FXT_PREV_STATE_BITS	16u

struct fxt_prev_states {
	__u8 state[FXT_PREV_STATE_BITS];	/* enum fxt_linux_state, by bit */
	__u16 known;				/* bits that have one; those above are a preempted thread's */
};

/* Of kernels since 4.14, and of those before. */
extern const struct fxt_prev_states fxt_prev_states_new, fxt_prev_states_old;

/* The other way round: the number of each enum fxt_linux_state, of one that the kernel doesn't have the nearest's. */
struct fxt_prev_numbers {
	__u16 state[FXT_LINUX_I + 1];
	__u16 preempted;
};

/* Those of a kernel by its release, "4.9.210"; of anything else, the new ones. */
const struct fxt_prev_states *fxt_prev_states_of(const char *release);
const struct fxt_prev_numbers *fxt_prev_numbers_of(const char *release);

/* The state of a bit that a kernel has that letter for: of old ones, the nearest.  -1 for none known. */
int fxt_prev_state_letter(char letter);

/* Adds a bit, by its number in the kernel's table, "0x00000001", and its letter; others are left out. */
void fxt_prev_states_add(struct fxt_prev_states *states, const char *number, const char *letter);

/* Those that the text of the tracepoint's format prints: its pairs { 0x1, "S" }; none known where it has none. */
void fxt_prev_states_parse(struct fxt_prev_states *states, const char *text, size_t bytes);

/* The state of a number, as the kernel prints it: of several bits, the lowest one's. */
static inline enum fxt_linux_state fxt_prev_state(const struct fxt_prev_states *states, __s64 number, bool *preempted)
{
	__u64 bits = number & states->known;

	/* known has a bit at least: all bits above its highest. */
	*preempted = !bits && (__u64)number >> (32 - __builtin_clz(states->known));
	return bits ? (enum fxt_linux_state)states->state[__builtin_ctzll(bits)] : FXT_LINUX_R;
}

#endif
