/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads scheduling records in Linux' terms without the decoder, since most records of a
 * recording are of these kinds and have the same shape.
 */
#ifndef FXT_MODEL_SCHED_READ_H
#define FXT_MODEL_SCHED_READ_H

#include "fxt/events.h"
#include "fxt/sched.h"
#include "model/sched_view.h"

/* Returns whether a provider's string table is that of recordings. */
bool fxt_provider_is_recording(const struct fxt_provider *provider);

/*
 * Returns whether the tables of a CPU's provider are those of recordings for migrations,
 * too; sets *process to the koid of the process of their track.
 */
bool fxt_provider_moves(const struct fxt_provider *provider, __u32 cpu, __u64 *process);

/* Lower half of an argument's header: all but the value. */
#define FXT_BRIEF_ARG(type, words, name)	((__u32)FXT_ARG(type, words, name, 0))
#define FXT_BRIEF_INT32(name)	FXT_BRIEF_ARG(FXT_ARG_INT32, 1, name)
#define FXT_BRIEF_UINT32(name)	FXT_BRIEF_ARG(FXT_ARG_UINT32, 1, name)

FXT_INLINE __u64 fxt_brief_word(const __u8 *record, unsigned int i)
{
	return fxt_frame_word(record + 8 * i);
}

/* Reads a weight.  Returns false where the weight and the thread disagree on being idle. */
FXT_INLINE bool fxt_brief_weight_read(__u64 arg, __u64 thread, __s32 *priority)
{
	*priority = (__s32)(arg >> 32);
	if (thread)
		return *priority != FXT_WEIGHT_IDLE;
	if (*priority != FXT_WEIGHT_IDLE)
		return false;
	*priority = FXT_IDLE_PRIORITY;
	return true;
}

/* Derives the state from FXT's four bits alone. */
FXT_INLINE bool fxt_brief_state_read(struct fxt_switch_view *view, __u64 state)
{
	if (state < FXT_STATE_RUNNING || state > FXT_STATE_DEAD)
		return false;
	view->state = fxt_linux_state_implied(state);
	view->preempted = false;
	return true;
}

/* Reads the state by its letter, which a record has where FXT's four bits don't imply the state. */
FXT_INLINE bool fxt_brief_letter_read(struct fxt_switch_view *view, __u64 arg, __u64 state)
{
	__u64 string = arg >> 32;

	if ((__u32)arg != FXT_BRIEF_ARG(FXT_ARG_STRING, 1, FXT_STR_STATE) || !view->prev ||
	    string < FXT_STR_STATE_PREEMPTED || string > FXT_STR_STATE_I)
		return false;
	view->preempted = string == FXT_STR_STATE_PREEMPTED;
	view->state = (enum fxt_linux_state)(string - FXT_STR_STATE_PREEMPTED);
	return (view->preempted || fxt_linux_state_inexact(view->state)) &&
	       fxt_linux_state_fxt(view->state) == state;
}

/* Reads a number, if the argument at a word has that name; sets at to the word after the argument. */
FXT_INLINE bool fxt_brief_number_read(__u64 *value, const __u8 *record, unsigned int words, unsigned int *at, __u64 name)
{
	__u64 arg = *at < words ? fxt_brief_word(record, *at) : 0;

	if ((__u32)arg == FXT_BRIEF_UINT32(name)) {
		*value = arg >> 32;
		*at += 1;
		return true;
	}
	if (arg != fxt_arg_uint64(name) || *at + 1 >= words)
		return false;
	*value = fxt_brief_word(record, *at + 1);
	*at += 2;
	return true;
}

/* Reads an argument of 32 bits in the same way. */
FXT_INLINE bool fxt_brief_small_read(__u32 *value, const __u8 *record, unsigned int words, unsigned int *at, __u64 name)
{
	__u64 arg = *at < words ? fxt_brief_word(record, *at) : 0;

	if ((__u32)arg != FXT_BRIEF_UINT32(name))
		return false;
	*value = arg >> 32;
	*at += 1;
	return true;
}

/* Reads the arguments of a reason, from word at on.  Returns false for any other argument. */
FXT_INLINE bool fxt_brief_reason_read(struct fxt_sleep_reason *reason, const __u8 *record, unsigned int words,
				      unsigned int args, unsigned int at)
{
	unsigned int count = 2;
	__u32 kind;

	if (!fxt_brief_small_read(&reason->bits, record, words, &at, FXT_STR_REASON) || !reason->bits)
		return false;
	if (at == words)
		return args == 1;
	kind = fxt_field(fxt_brief_word(record, at), 16, 31) - FXT_STR_REASON;
	if (!kind || kind >= FXT_ONS ||
	    !fxt_brief_number_read(&reason->object, record, words, &at, fxt_object_string(kind)))
		return false;
	reason->kind = kind;
	if (kind == FXT_ON_FUTEX)
		count += fxt_brief_number_read(&reason->inode, record, words, &at, FXT_STR_INODE);
	count += fxt_brief_small_read(&reason->device, record, words, &at, FXT_STR_DEVICE);
	if (kind == FXT_ON_FUTEX)
		count += fxt_brief_number_read(&reason->offset, record, words, &at, FXT_STR_OFFSET);
	count += fxt_brief_small_read(&reason->holder, record, words, &at,
				      fxt_object_is_lock(kind) ? FXT_STR_OWNER : FXT_STR_HOLDER);
	return at == words && args == count;
}

FXT_INLINE bool fxt_brief_switch_read(const __u8 *record, __u64 header, struct fxt_switch_view *view)
{
	__u64 out = fxt_brief_word(record, 4), in = fxt_brief_word(record, 5);
	unsigned int words = fxt_field(header, 4, 15), args = fxt_field(header, 16, 19), at = 6;

	if ((__u32)out != FXT_BRIEF_INT32(FXT_STR_OUTGOING_WEIGHT) ||
	    (__u32)in != FXT_BRIEF_INT32(FXT_STR_INCOMING_WEIGHT) || fxt_field(header, 40, 59))
		return false;
	view->cpu = fxt_field(header, 20, 35);
	view->prev = fxt_brief_word(record, 2);
	view->next = fxt_brief_word(record, 3);
	view->unchosen = FXT_UNCHOSEN_NONE;
	if (!fxt_brief_weight_read(out, view->prev, &view->prev_prio) ||
	    !fxt_brief_weight_read(in, view->next, &view->next_prio) ||
	    !fxt_brief_state_read(view, fxt_field(header, 36, 39)))
		return false;
	view->reason = (struct fxt_sleep_reason){ 0 };
	if (at < words && fxt_brief_letter_read(view, fxt_brief_word(record, at), fxt_field(header, 36, 39)))
		at++;
	return at == words ? args == at - 4 :
			     view->prev && fxt_brief_reason_read(&view->reason, record, words, args - (at - 4), at);
}

/*
 * Reads a context by its reference.  Returns false for any other argument: older recordings
 * have other strings at the indices of the timers' names.
 */
FXT_INLINE bool fxt_brief_context_read(struct fxt_wakeup_view *view, __u64 arg)
{
	enum fxt_waker_context i;

	for (i = FXT_CONTEXT_SOFTIRQ; i < FXT_CONTEXTS; i++)
		if (arg == fxt_arg_string(FXT_STR_CONTEXT, fxt_linux_context_string(i)))
			break;
	view->context = i < FXT_CONTEXTS ? i : FXT_CONTEXT_TASK;
	return i < FXT_CONTEXTS;
}

/* Reads the arguments after waker and weight, which few wakeups have. */
FXT_INLINE bool fxt_brief_rest_read(struct fxt_wakeup_view *view, const __u8 *record, unsigned int words,
				       unsigned int at)
{
	__u64 arg = fxt_brief_word(record, at);

	if (view->prio == FXT_WEIGHT_IDLE) {
		view->on_cpu = true;
		view->prio = (__s32)(arg >> 32);
		if ((__u32)arg != FXT_BRIEF_INT32(FXT_STR_PRIORITY))
			return false;
		at++;
	} else if (arg == fxt_arg_string(FXT_STR_EVENT, FXT_STR_WAKEUP_NEW)) {
		view->new = true;
		at++;
	}
	if (at < words && fxt_brief_context_read(view, fxt_brief_word(record, at)))
		at++;
	return at == words && view->prio != FXT_WEIGHT_IDLE;
}

FXT_INLINE bool fxt_brief_wakeup_read(const __u8 *record, __u64 header, __u32 cpu, struct fxt_wakeup_view *view)
{
	unsigned int words = fxt_field(header, 4, 15), at = 5;

	if (words < 5 || words > 8 || fxt_field(header, 16, 19) != words - 4 || fxt_field(header, 36, 59) ||
	    fxt_brief_word(record, 3) != fxt_arg_koid(FXT_STR_WAKER))
		return false;
	*view = (struct fxt_wakeup_view){
		.cpu = cpu,
		.thread = fxt_brief_word(record, 2),
		.prio = FXT_PRIO_DEFAULT,
		.target = fxt_field(header, 20, 35),
		.waker = fxt_brief_word(record, 4),
		.waker_known = true,
	};
	if (at < words && (__u32)fxt_brief_word(record, at) == FXT_BRIEF_INT32(FXT_STR_WEIGHT))
		view->prio = (__s32)(fxt_brief_word(record, at++) >> 32);
	if (at < words)
		return fxt_brief_rest_read(view, record, words, at);
	return view->prio != FXT_WEIGHT_IDLE;
}

/*
 * Reads a whole record of such a provider, of that CPU.  Returns its kind; UNKNOWN if the
 * record is of another kind, or has more than the view can hold.
 */
FXT_INLINE enum fxt_kind fxt_sched_view_read(const __u8 *record, __u32 cpu, union fxt_sched_view *view,
						__u64 *ticks)
{
	__u64 header = fxt_brief_word(record, 0);
	enum fxt_kind kind = FXT_KIND_UNKNOWN;

	if (fxt_field(header, 0, 3) != FXT_RECORD_SCHEDULING)
		return kind;
	if (header >> 60 == FXT_SCHEDULING_CONTEXT_SWITCH) {
		if (fxt_brief_switch_read(record, header, &view->change))
			kind = FXT_KIND_CONTEXT_SWITCH;
	} else if (header >> 60 == FXT_SCHEDULING_WAKEUP &&
		   fxt_brief_wakeup_read(record, header, cpu, &view->wakeup)) {
		kind = FXT_KIND_WAKEUP;
	}
	if (kind != FXT_KIND_UNKNOWN)
		*ticks = fxt_brief_word(record, 1);
	return kind;
}

/* Returns the header of fxt_sched_migrate(). */
FXT_INLINE __u64 fxt_brief_migrate(void)
{
	return fxt_event(FXT_EVENT_INSTANT, FXT_SCHED_MIGRATE_BYTES / 8, 4, FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS),
			 FXT_STR_SCHED, FXT_STR_MIGRATE);
}

/* Reads a migration, if fxt_provider_moves().  Returns whether the record is one. */
FXT_INLINE bool fxt_migrate_view_read(const __u8 *record, __u32 cpu, struct fxt_migrate_view *view, __u64 *ticks)
{
	__u64 prio, from, to;

	if (fxt_brief_word(record, 0) != fxt_brief_migrate())
		return false;
	prio = fxt_brief_word(record, 4);
	from = fxt_brief_word(record, 5);
	to = fxt_brief_word(record, 6);
	*ticks = fxt_brief_word(record, 1);
	*view = (struct fxt_migrate_view){
		.cpu = cpu,
		.thread = fxt_brief_word(record, 3),
		.prio = (__s32)(prio >> 32),
		.from = from >> 32,
		.to = to >> 32,
	};
	return fxt_brief_word(record, 2) == fxt_arg_koid(FXT_STR_THREAD) &&
	       (__u32)prio == FXT_BRIEF_INT32(FXT_STR_PRIO) &&
	       (__u32)from == FXT_BRIEF_UINT32(FXT_STR_ORIG_CPU) &&
	       (__u32)to == FXT_BRIEF_UINT32(FXT_STR_DEST_CPU) &&
	       view->prio != FXT_WEIGHT_IDLE && (view->from | view->to) <= FXT_VIEW_CPU_MAX;
}

/*
 * Reads a context switch, a wakeup or (if moves is set) a migration of a CPU's provider.
 * Returns its kind: a migration is an event.
 */
FXT_INLINE enum fxt_kind fxt_stream_view_read(const __u8 *record, __u32 cpu, bool moves, union fxt_sched_view *view,
					      __u64 *ticks)
{
	enum fxt_kind kind = fxt_sched_view_read(record, cpu, view, ticks);

	if (kind == FXT_KIND_UNKNOWN && moves && fxt_migrate_view_read(record, cpu, &view->migrate, ticks))
		kind = FXT_KIND_EVENT;
	return kind;
}

#endif
