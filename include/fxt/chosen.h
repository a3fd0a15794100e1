/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Chooses threads, when a thread is created, renamed or moved, and never at an event.
 *
 * In addition to the needs of fxt/filter.h, the includer defines
 *
 *   FXT_FILTER_FLAGS			FXTREC_FILTER_* of the recording
 *   FXT_FILTER_GLOB			address of its struct fxtrec_glob
 *   FXT_FILTER_SET_BITS(word, bits), FXT_FILTER_CLEAR_BITS(word, bits)	atomic
 *   FXT_FILTER_NAME(name, comm)	copies a comm to a zeroed struct fxt_thread_name
 *   FXT_FILTER_PROCESS			id of the process with the threads that are being followed; 0: none
 */
#ifndef FXT_CHOSEN_H
#define FXT_CHOSEN_H

#include "filter.h"
#include "glob.h"

/* Sets or clears a thread's bit; other CPUs change other bits of the same word at the same time. */
FXT_INLINE void fxt_chosen_assign(enum fxt_filter_which which, __u32 tid, int on)
{
	struct fxt_filter_set *set = FXT_FILTER_SET(which);

	if (!set)
		return;
	if (on)
		FXT_FILTER_SET_BITS(fxt_filter_word(set, tid), fxt_filter_bit(tid));
	else
		FXT_FILTER_CLEAR_BITS(fxt_filter_word(set, tid), fxt_filter_bit(tid));
}

FXT_INLINE int fxt_chosen_followed(__u32 tid)
{
	return fxt_filter_has(FXT_FILTER_SET(FXT_FILTER_FOLLOWED), tid);
}

FXT_INLINE int fxt_chosen_named(const char *comm)
{
	struct fxt_thread_name name = {};

	if (!(FXT_FILTER_FLAGS & FXTREC_FILTER_COMM))
		return 0;
	FXT_FILTER_NAME(&name, comm);
	return fxt_glob_matches(FXT_FILTER_GLOB, &name);
}

/*
 * Decides about a thread with this name, inside the cgroup or not.  Returns whether the
 * thread is no longer chosen.  Idle threads are never chosen.
 */
FXT_INLINE int fxt_chosen_decide(__u32 tid, const char *comm, int in_cgroup)
{
	int was = fxt_filter_has(FXT_FILTER_SET(FXT_FILTER_CHOSEN), tid);
	int is = tid && (fxt_chosen_followed(tid) || fxt_chosen_named(comm) || in_cgroup);

	fxt_chosen_assign(FXT_FILTER_CHOSEN, tid, is);
	return was && !is;
}

/* Records of a thread that is no longer chosen: an instant event of the thread. */
#define FXT_CHOSEN_END_BYTES	40u
FXT_INLINE void fxt_chosen_end_write(__u64 *w, __u64 ticks, __u32 tid, __u32 tgid)
{
	w[0] = fxt_thread(FXT_THREAD_SUBJECT);
	w[1] = tgid;
	w[2] = tid;
	w[3] = fxt_event(FXT_EVENT_INSTANT, 2, 0, FXT_THREAD_SUBJECT, FXT_STR_FXTREC, FXT_STR_UNCHOSEN);
	w[4] = ticks;
}

/*
 * Decides whether a new thread is followed; before fxt_chosen_decide().  Runs at
 * sched_wakeup_new, which every new thread (io_uring's workers, too) hits before any other
 * event: so the bit of a previous thread with this id never counts for the new thread.
 */
FXT_INLINE void fxt_chosen_created(__u32 tid, __u32 creator, __u32 creator_tgid, const char *creator_comm)
{
	fxt_chosen_assign(FXT_FILTER_FOLLOWED, tid,
			  FXT_FILTER_FLAGS & FXTREC_FILTER_INHERIT &&
			  (fxt_chosen_followed(creator) || creator_tgid == FXT_FILTER_PROCESS ||
			   fxt_chosen_named(creator_comm)));
}

/* Follows a thread that calls exec under its process's id, which it takes over; before fxt_chosen_decide(). */
FXT_INLINE void fxt_chosen_exec(__u32 tid, __u32 old_tid)
{
	fxt_chosen_assign(FXT_FILTER_FOLLOWED, tid, fxt_chosen_followed(old_tid));
}

#endif
