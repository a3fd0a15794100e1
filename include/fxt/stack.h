/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The stack of a thread that goes to sleep: an instant event with the return addresses.
 *
 * The reader replaces this record by one with symbols; it never reaches a file.
 */
#ifndef FXT_STACK_H
#define FXT_STACK_H

#include "events.h"

/* Frames, innermost first; the first frames are the tracer's own. */
#define FXT_STACK_FRAMES	40u
#define FXT_STACK_HEAD_WORDS	6u

struct fxt_stack_record {
	__u64 word[FXT_STACK_HEAD_WORDS + FXT_STACK_FRAMES];
};

/* States that fxtrec_config.stacks may have: a bit for each enum fxt_linux_state. */
#define FXT_STACK_STATE(state)	(1u << FXT_LINUX_##state)
#define FXT_STACK_BLOCKED	FXT_STACK_STATE(D)
#define FXT_STACK_ALL		(FXT_STACK_STATE(S) | FXT_STACK_STATE(D) | FXT_STACK_STATE(T) | \
				 FXT_STACK_STATE(TRACED) | FXT_STACK_STATE(P) | FXT_STACK_STATE(I))

/* Returns whether a thread that is switched out goes to sleep in one of these states; tests R and S first. */
FXT_INLINE int fxt_stack_wanted(__u32 states, int preempted, __u32 state, __u32 exit_state)
{
	if (preempted)
		return 0;
	if (state <= FXT_TASK_INTERRUPTIBLE)
		return states >> state & 1;
	return states >> fxt_linux_state(state, exit_state) & 1;
}

/* Writes the words before the frames.  Returns the record's bytes. */
FXT_INLINE __u32 fxt_stack_head(__u64 *w, __u32 frames, __u32 tgid, __u32 tid, int iowait,
				__u64 ticks)
{
	w[0] = fxt_event(FXT_EVENT_INSTANT, FXT_STACK_HEAD_WORDS + frames, 2, 0, FXT_STR_SCHED,
			 FXT_STR_BLOCKED);
	w[1] = ticks;
	w[2] = tgid;
	w[3] = tid;
	w[4] = fxt_arg_uint32(FXT_STR_IOWAIT, iowait);
	w[5] = FXT_ARG(FXT_ARG_BLOB, 1 + frames, FXT_STR_STACK, 8 * frames);
	return 8 * (FXT_STACK_HEAD_WORDS + frames);
}

/* Returns whether a record is a stack of fxt_stack_head(). */
FXT_INLINE int fxt_stack_is(const __u64 *w)
{
	return fxt_field(*w, 0, 3) == FXT_RECORD_EVENT && fxt_field(*w, 32, 47) == FXT_STR_SCHED &&
	       fxt_field(*w, 48, 63) == FXT_STR_BLOCKED;
}

#endif
