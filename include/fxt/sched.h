/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The records of sched_switch, sched_waking, sched_wakeup_new and sched_migrate_task, the same from every producer. */
#ifndef FXT_SCHED_H
#define FXT_SCHED_H

#include "events.h"
#include "linux.h"

/* Bytes of the longest record of this file. */
#define FXT_SCHED_BYTES_MAX	136u

/* A thread in a scheduling record; tid 0 is the idle thread of its CPU. */
struct fxt_sched_thread {
	__u64 tid;
	__s32 prio;
};

/* Returns word 0 of a context switch record (scheduling type 1) with both weights and no other argument. */
FXT_INLINE __u64 fxt_sched_switch_header(__u32 cpu, enum fxt_linux_state state)
{
	return fxt_context_switch(6, 2, cpu, fxt_linux_state_fxt(state));
}

/* Writes the rest of that record, except the ticks in w[1]. */
#define FXT_SCHED_SWITCH_BYTES	48u
FXT_INLINE void fxt_sched_switch_fill(__u64 *w, struct fxt_sched_thread prev,
				      struct fxt_sched_thread next)
{
	w[2] = prev.tid;
	w[3] = next.tid;
	w[4] = fxt_arg_int32(FXT_STR_OUTGOING_WEIGHT, prev.prio);
	w[5] = fxt_arg_int32(FXT_STR_INCOMING_WEIGHT, next.prio);
	/* The idle thread is rare: overwriting is cheaper than choosing. */
	if (__builtin_expect(!prev.tid, 0))
		w[4] = fxt_arg_int32(FXT_STR_OUTGOING_WEIGHT, FXT_WEIGHT_IDLE);
	if (__builtin_expect(!next.tid, 0))
		w[5] = fxt_arg_int32(FXT_STR_INCOMING_WEIGHT, FXT_WEIGHT_IDLE);
}

/*
 * Writes a context switch record of any kind.  Returns its bytes.  state is ignored where
 * prev was preempted or is the idle thread: the state is R.
 */
FXT_INLINE __u32 fxt_sched_switch(__u64 *w, __u32 cpu, __u64 ticks, struct fxt_sched_thread prev,
				  struct fxt_sched_thread next, int preempted,
				  enum fxt_linux_state state)
{
	w[1] = ticks;
	fxt_sched_switch_fill(w, prev, next);
	if (preempted || !prev.tid)
		state = FXT_LINUX_R;
	if (!fxt_linux_state_inexact(state) && !(preempted && prev.tid)) {
		w[0] = fxt_sched_switch_header(cpu, state);
		return FXT_SCHED_SWITCH_BYTES;
	}
	w[0] = fxt_context_switch(7, 3, cpu, fxt_linux_state_fxt(state));
	w[6] = fxt_arg_string(FXT_STR_STATE, fxt_linux_state_string(state));
	return 56;
}

/*
 * Adds the unchosen threads to a switch of that many bytes: their other switches may be
 * missing.  Returns the record's bytes.
 */
FXT_INLINE __u32 fxt_sched_switch_unchosen(__u64 *w, __u32 bytes, enum fxt_unchosen unchosen)
{
	w[0] += FXT_HEADER(0, 1) | 1 << 16;
	w[bytes / 8] = fxt_arg_string(FXT_STR_UNCHOSEN, unchosen == FXT_UNCHOSEN_OUTGOING ? FXT_STR_OUTGOING :
				      unchosen == FXT_UNCHOSEN_INCOMING ? FXT_STR_INCOMING : FXT_STR_BOTH);
	return bytes + 8;
}

/*
 * Writes a thread wakeup record (scheduling type 2) of sched_waking, except the ticks in
 * w[1]; for a thread that has left its CPU and has the default priority.
 */
#define FXT_SCHED_WAKING_BYTES	40u
FXT_INLINE void fxt_sched_waking_fill(__u64 *w, __u32 target_cpu, __u64 woken, __u64 waker)
{
	w[0] = fxt_wakeup(5, 1, target_cpu);
	w[2] = woken;
	w[3] = fxt_arg_koid(FXT_STR_WAKER);
	w[4] = waker;
}

/*
 * Writes a wakeup record of any thread.  Returns its bytes.  A thread that is still on its
 * CPU gets the idle weight, since consumers would end its running slice otherwise, and its
 * priority in a separate argument.  The context of a task is left out.
 */
FXT_INLINE __u32 fxt_sched_waking(__u64 *w, __u32 target_cpu, __u64 ticks,
				  struct fxt_sched_thread woken, int on_cpu, __u32 waker,
				  enum fxt_waker_context context)
{
	__u32 more = 0;

	w[1] = ticks;
	fxt_sched_waking_fill(w, target_cpu, woken.tid, waker);
	if (on_cpu || woken.prio != FXT_PRIO_DEFAULT) {
		w[5] = fxt_arg_int32(FXT_STR_WEIGHT, on_cpu ? FXT_WEIGHT_IDLE : woken.prio);
		more = 1;
	}
	if (on_cpu) {
		w[6] = fxt_arg_int32(FXT_STR_PRIORITY, woken.prio);
		more = 2;
	}
	if (context != FXT_CONTEXT_TASK)
		w[5 + more++] = fxt_arg_string(FXT_STR_CONTEXT, fxt_linux_context_string(context));
	w[0] = fxt_wakeup(5 + more, 1 + more, target_cpu);
	return FXT_SCHED_WAKING_BYTES + 8 * more;
}

/*
 * Writes a wakeup record of sched_wakeup_new, the only record with an argument "event"; only
 * a task creates threads.  Returns its bytes.
 */
FXT_INLINE __u32 fxt_sched_wakeup_new(__u64 *w, __u32 target_cpu, __u64 ticks,
				      struct fxt_sched_thread woken, __u32 waker)
{
	__u32 bytes = fxt_sched_waking(w, target_cpu, ticks, woken, 0, waker, FXT_CONTEXT_TASK);

	w[0] = fxt_wakeup(bytes / 8 + 1, bytes / 8 - 3, target_cpu);
	w[bytes / 8] = fxt_arg_string(FXT_STR_EVENT, FXT_STR_WAKEUP_NEW);
	return bytes + 8;
}

/* Writes a record of sched_migrate_task: an instant event on the track of the CPU that moves the thread. */
#define FXT_SCHED_MIGRATE_BYTES	56u
FXT_INLINE void fxt_sched_migrate(__u64 *w, __u64 ticks, struct fxt_sched_thread moved,
				  __u32 orig_cpu, __u32 dest_cpu)
{
	w[0] = fxt_event(FXT_EVENT_INSTANT, FXT_SCHED_MIGRATE_BYTES / 8, 4,
			 FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS), FXT_STR_SCHED, FXT_STR_MIGRATE);
	w[1] = ticks;
	w[2] = fxt_arg_koid(FXT_STR_THREAD);
	w[3] = moved.tid;
	w[4] = fxt_arg_int32(FXT_STR_PRIO, moved.prio);
	w[5] = fxt_arg_uint32(FXT_STR_ORIG_CPU, orig_cpu);
	w[6] = fxt_arg_uint32(FXT_STR_DEST_CPU, dest_cpu);
}

/*
 * Writes a record of the thread that a CPU runs while a chosen thread leaves the CPU's
 * queue: an instant event on the same track, before the migration.
 */
#define FXT_SCHED_RUNNING_BYTES	40u
FXT_INLINE void fxt_sched_running(__u64 *w, __u64 ticks, __u64 tid, __u32 cpu)
{
	w[0] = fxt_event(FXT_EVENT_INSTANT, FXT_SCHED_RUNNING_BYTES / 8, 2, FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS),
			 FXT_STR_FXTREC, FXT_STR_RUNNING);
	w[1] = ticks;
	w[2] = fxt_arg_koid(FXT_STR_THREAD);
	w[3] = tid;
	w[4] = fxt_arg_uint32(FXT_STR_CPU, cpu);
}

#endif
