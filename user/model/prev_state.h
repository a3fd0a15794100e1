/* SPDX-License-Identifier: GPL-2.0-only */
/* Decodes the numbers of sched_switch's prev_state, which had other bits in kernels before 4.14. */
#ifndef FXT_MODEL_PREV_STATE_H
#define FXT_MODEL_PREV_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "fxt/linux.h"

#define FXT_PREV_STATE_BITS	16u

struct fxt_prev_states {
	__u8 state[FXT_PREV_STATE_BITS];	/* enum fxt_linux_state, by bit */
	__u16 known;				/* bits that have a state; higher bits mean a preempted thread */
};

/* States of kernels since 4.14, and of older kernels. */
extern const struct fxt_prev_states fxt_prev_states_new, fxt_prev_states_old;

/*
 * The reverse table: the number of each enum fxt_linux_state; a state that the kernel
 * doesn't have gets the number of the nearest state.
 */
struct fxt_prev_numbers {
	__u16 state[FXT_LINUX_I + 1];
	__u16 preempted;
};

/* Return the table of a kernel by its release, such as "4.9.210"; for any other text, the table of new kernels. */
const struct fxt_prev_states *fxt_prev_states_of(const char *release);
const struct fxt_prev_numbers *fxt_prev_numbers_of(const char *release);

/* Returns the state of a kernel's letter; for letters of old kernels only, the nearest state; -1: unknown letter. */
int fxt_prev_state_letter(char letter);

/* Adds a bit by its number in the kernel's table, such as "0x00000001", and its letter; ignores an invalid pair. */
void fxt_prev_states_add(struct fxt_prev_states *states, const char *number, const char *letter);

/* Reads the pairs { 0x1, "S" } from the text of the tracepoint's format; without pairs, no bit is known. */
void fxt_prev_states_parse(struct fxt_prev_states *states, const char *text, size_t bytes);

/* Returns the state of a number as the kernel prints it: if several bits are set, the state of the lowest. */
static inline enum fxt_linux_state fxt_prev_state(const struct fxt_prev_states *states, __s64 number, bool *preempted)
{
	__u64 bits = number & states->known;

	/* known has at least one bit: test all bits above its highest. */
	*preempted = !bits && (__u64)number >> (32 - __builtin_clz(states->known));
	return bits ? (enum fxt_linux_state)states->state[__builtin_ctzll(bits)] : FXT_LINUX_R;
}

#endif
