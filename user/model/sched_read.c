// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling records in Linux' terms: past the decoder. */
#include "model/sched_view.h"

/* The lower half of an argument's header: all but its value. */
#define ARG(type, words, name)	((__u32)FXT_ARG(type, words, name, 0))
#define INT32(name)		ARG(FXT_ARG_INT32, 1, name)

bool fxt_provider_is_recording(const struct fxt_provider *p)
{
	static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
		FXT_LINUX_STRINGS(TEXT)
#undef TEXT
	};
	struct fxt_text text;
	unsigned int i;

	for (i = FXT_STR_OUTGOING_WEIGHT; i <= FXT_STR_WAKEUP_NEW; i++) {
		fxt_provider_string_get(p, i, &text);
		if (!fxt_text_equal(&text, strings[i]))
			return false;
	}
	/* Recordings without contexts have other strings at these places, or none. */
	for (i = FXT_STR_CONTEXT; i <= FXT_STR_CONTEXT_NMI; i++) {
		fxt_provider_string_get(p, i, &text);
		if (!text.unknown && !fxt_text_equal(&text, strings[i]))
			return false;
	}
	return true;
}

static __u64 word(const struct fxt_frame *frame, unsigned int i)
{
	return fxt_frame_word(frame->data + 8 * i);
}

/* A weight, by whether the thread is idle; false where it does not fit. */
static bool weight_read(__u64 arg, __u64 thread, __s32 *priority)
{
	*priority = (__s32)(arg >> 32);
	if (thread)
		return *priority != FXT_WEIGHT_IDLE;
	if (*priority != FXT_WEIGHT_IDLE)
		return false;
	*priority = FXT_IDLE_PRIORITY;
	return true;
}

/* The state by FXT's four bits alone. */
static bool state_read(struct fxt_switch_view *view, __u64 state)
{
	if (state < FXT_STATE_RUNNING || state > FXT_STATE_DEAD)
		return false;
	view->state = fxt_linux_state_implied(state);
	view->preempted = false;
	return true;
}

/* The state by its letter, which is there where FXT's four bits don't imply it. */
static bool letter_read(struct fxt_switch_view *view, __u64 arg, __u64 state)
{
	__u64 string = arg >> 32;

	if ((__u32)arg != ARG(FXT_ARG_STRING, 1, FXT_STR_STATE) || !view->prev ||
	    string < FXT_STR_STATE_PREEMPTED || string > FXT_STR_STATE_I)
		return false;
	view->preempted = string == FXT_STR_STATE_PREEMPTED;
	view->state = (enum fxt_linux_state)(string - FXT_STR_STATE_PREEMPTED);
	return (view->preempted || fxt_linux_state_inexact(view->state)) &&
	       fxt_linux_state_fxt(view->state) == state;
}

static bool switch_read(const struct fxt_frame *frame, struct fxt_switch_view *view)
{
	__u64 header = word(frame, 0), out, in;

	if (frame->words < 6 || frame->words > 7)
		return false;
	out = word(frame, 4);
	in = word(frame, 5);
	if (fxt_field(header, 16, 19) != frame->words - 4 || fxt_field(header, 40, 59) ||
	    (__u32)out != INT32(FXT_STR_OUTGOING_WEIGHT) ||
	    (__u32)in != INT32(FXT_STR_INCOMING_WEIGHT))
		return false;
	view->cpu = fxt_field(header, 20, 35);
	view->prev = word(frame, 2);
	view->next = word(frame, 3);
	if (!weight_read(out, view->prev, &view->prev_prio) ||
	    !weight_read(in, view->next, &view->next_prio) ||
	    !state_read(view, fxt_field(header, 36, 39)))
		return false;
	return frame->words == 6 ||
	       letter_read(view, word(frame, 6), fxt_field(header, 36, 39));
}

/* The context, by reference; false for any other argument. */
static bool context_read(struct fxt_wakeup_view *view, __u64 arg)
{
	__u64 string = arg >> 32;

	if ((__u32)arg != ARG(FXT_ARG_STRING, 1, FXT_STR_CONTEXT) ||
	    string < FXT_STR_CONTEXT_SOFTIRQ || string > FXT_STR_CONTEXT_NMI)
		return false;
	view->context = (enum fxt_waker_context)(string - FXT_STR_CONTEXT);
	return true;
}

/* The arguments after waker and weight, which few wakeups have. */
static bool rest_read(struct fxt_wakeup_view *view, const struct fxt_frame *frame, unsigned int at)
{
	__u64 arg = word(frame, at);

	if (view->prio == FXT_WEIGHT_IDLE) {
		view->on_cpu = true;
		view->prio = (__s32)(arg >> 32);
		if ((__u32)arg != INT32(FXT_STR_PRIORITY))
			return false;
		at++;
	} else if (arg == fxt_arg_string(FXT_STR_EVENT, FXT_STR_WAKEUP_NEW)) {
		view->new = true;
		at++;
	}
	if (at < frame->words && context_read(view, word(frame, at)))
		at++;
	return at == frame->words && view->prio != FXT_WEIGHT_IDLE;
}

static bool wakeup_read(const struct fxt_frame *frame, __u32 cpu, struct fxt_wakeup_view *view)
{
	__u64 header = word(frame, 0);
	unsigned int at = 5;

	if (frame->words < 5 || frame->words > 8 ||
	    fxt_field(header, 16, 19) != frame->words - 4 || fxt_field(header, 36, 59) ||
	    word(frame, 3) != fxt_arg_koid(FXT_STR_WAKER))
		return false;
	*view = (struct fxt_wakeup_view){
		.cpu = cpu,
		.thread = word(frame, 2),
		.prio = FXT_PRIO_DEFAULT,
		.target = fxt_field(header, 20, 35),
		.waker = word(frame, 4),
		.waker_known = true,
	};
	if (at < frame->words && (__u32)word(frame, at) == INT32(FXT_STR_WEIGHT))
		view->prio = (__s32)(word(frame, at++) >> 32);
	if (at < frame->words)
		return rest_read(view, frame, at);
	return view->prio != FXT_WEIGHT_IDLE;
}

enum fxt_kind fxt_sched_view_read(const struct fxt_frame *frame, __u32 cpu,
				  union fxt_sched_view *view, __u64 *ticks)
{
	__u64 header = word(frame, 0);
	enum fxt_kind kind = FXT_KIND_UNKNOWN;

	if (fxt_field(header, 0, 3) != FXT_RECORD_SCHEDULING)
		return kind;
	if (header >> 60 == FXT_SCHEDULING_CONTEXT_SWITCH && switch_read(frame, &view->change))
		kind = FXT_KIND_CONTEXT_SWITCH;
	else if (header >> 60 == FXT_SCHEDULING_WAKEUP && wakeup_read(frame, cpu, &view->wakeup))
		kind = FXT_KIND_WAKEUP;
	if (kind != FXT_KIND_UNKNOWN)
		*ticks = word(frame, 1);
	return kind;
}
