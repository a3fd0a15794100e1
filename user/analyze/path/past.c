// SPDX-License-Identifier: GPL-2.0-only
/* Steps and runs of the past, stored as differences, which take few bytes. */
#include <stdint.h>

#include "analyze/path/steps.h"

/* Words of a record. */
enum {
	WORD_TO,
	WORD_NS,		/* duration */
	WORD_BEFORE,		/* distance to the preceding step or run; kinds in the lowest bits */
	WORD_THEN,		/* distance to the run, or to the waker's step */
	WORD_WHAT,		/* task, or name of a handler; or the waker */
	WORDS_RUN,		/* number of words of a run */
	WORD_SINCE = WORDS_RUN,		/* distance from waker_since to the end; class of the sleep in the lowest bits */
	WORD_CPU = WORD_SINCE,		/* CPU of a wait */
	WORD_FUNCTION,
	WORD_HANDLER,
};

#define PHASE_BITS	3
#define KIND_BITS	3
#define KINDS_BITS	9
#define WAIT_BITS	4

_Static_assert(FXT_PHASES <= 1 << PHASE_BITS && FXT_PATH_THROTTLED < 1 << KIND_BITS &&
	       FXT_CONTEXTS <= 1 << (KINDS_BITS - PHASE_BITS - KIND_BITS) && FXT_PATH_PARKED < 1 << WAIT_BITS,
	       "the kinds of a step fit");

/* Returns the distance between two offsets, or an offset by its distance; 0: none. */
static inline __u64 back(__u64 place, __u64 other)
{
	return other ? place - other : 0;
}

int fxt_path_run_put(struct fxt_pack *past, const struct fxt_path_run *run)
{
	const __u64 words[WORDS_RUN] = {
		[WORD_TO] = run->to,
		[WORD_NS] = run->to - run->from,
		[WORD_BEFORE] = back(past->next, run->before) << KINDS_BITS | run->kind,
		[WORD_WHAT] = (uintptr_t)run->what,
	};

	return fxt_pack_put(past, words, WORDS_RUN);
}

int fxt_path_run_get(struct fxt_pack *past, __u64 place, struct fxt_path_run *run)
{
	__u64 words[WORDS_RUN];
	int err = fxt_pack_get(past, place, words, WORDS_RUN);

	if (err)
		return err;
	*run = (struct fxt_path_run){
		.from = words[WORD_TO] - words[WORD_NS],
		.to = words[WORD_TO],
		.before = back(place, words[WORD_BEFORE] >> KINDS_BITS),
		.kind = words[WORD_BEFORE] & ((1 << KINDS_BITS) - 1),
		.what = (const void *)(uintptr_t)words[WORD_WHAT],
	};
	return 0;
}

int fxt_path_step_put(struct fxt_pack *past, const struct fxt_path_step *s)
{
	__u64 kinds = s->phase | s->kind << PHASE_BITS | s->context << (PHASE_BITS + KIND_BITS);
	__u64 words[FXT_PACK_WORDS];

	words[WORD_TO] = s->to;
	words[WORD_NS] = s->to - s->from;
	words[WORD_BEFORE] = back(past->next, s->before) << KINDS_BITS | kinds;
	if (s->phase == FXT_PHASE_RUN)
		return fxt_pack_put(past, words, WORD_BEFORE + 1);
	if (fxt_phase_waits(s->phase)) {
		words[WORD_THEN] = back(past->next, s->run);
		words[WORD_WHAT] = (uintptr_t)s->what;
		words[WORD_CPU] = s->cpu;
		return fxt_pack_put(past, words, WORD_CPU + 1);
	}
	words[WORD_THEN] = back(past->next, s->waker_step);
	words[WORD_WHAT] = (uintptr_t)s->waker;
	words[WORD_SINCE] = (s->waker ? s->to - s->waker_since : 0) << WAIT_BITS | s->wait;
	words[WORD_FUNCTION] = (uintptr_t)s->function;
	words[WORD_HANDLER] = (uintptr_t)s->handler;
	return fxt_pack_put(past, words, FXT_PACK_WORDS);
}

int fxt_path_step_get(struct fxt_pack *past, __u64 place, struct fxt_path_step *s)
{
	__u64 words[FXT_PACK_WORDS];
	int err = fxt_pack_get(past, place, words, FXT_PACK_WORDS);

	if (err)
		return err;
	s->from = words[WORD_TO] - words[WORD_NS];
	s->to = words[WORD_TO];
	s->before = back(place, words[WORD_BEFORE] >> KINDS_BITS);
	s->phase = words[WORD_BEFORE] & ((1 << PHASE_BITS) - 1);
	s->kind = words[WORD_BEFORE] >> PHASE_BITS & ((1 << KIND_BITS) - 1);
	s->context = (words[WORD_BEFORE] & ((1 << KINDS_BITS) - 1)) >> (PHASE_BITS + KIND_BITS);
	if (fxt_phase_waits(s->phase)) {
		s->run = back(place, words[WORD_THEN]);
		s->what = (const void *)(uintptr_t)words[WORD_WHAT];
		s->cpu = words[WORD_CPU];
		return 0;
	}
	s->waker_step = back(place, words[WORD_THEN]);
	s->waker = (struct fxt_task *)(uintptr_t)words[WORD_WHAT];
	s->waker_since = words[WORD_TO] - (words[WORD_SINCE] >> WAIT_BITS);
	s->wait = words[WORD_SINCE] & ((1 << WAIT_BITS) - 1);
	s->function = (const char *)(uintptr_t)words[WORD_FUNCTION];
	s->handler = (const char *)(uintptr_t)words[WORD_HANDLER];
	return 0;
}
