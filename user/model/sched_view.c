// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling records in Linux' terms: to and from records, and past the decoder. */
#include <errno.h>
#include <string.h>

#include "fxt/events.h"
#include "model/build.h"
#include "model/sched_view.h"

#define LETTER(arg, name, letter, fxt, letter_is, bit)	letter
#define NAME(arg, name, letter, fxt, letter_is, bit)	letter,
#define BIT(arg, name, letter, fxt, letter_is, bit)	bit,

/* All by enum fxt_linux_state. */
static const char letters[] = FXT_LINUX_STATES(LETTER, );
const __u8 fxt_linux_state_bits[] = { FXT_LINUX_STATES(BIT, ) };

const char *fxt_switch_view_letters(const struct fxt_switch_view *view)
{
	static const char *const names[] = { FXT_LINUX_STATES(NAME, ) };

	return view->preempted ? "R+" : names[view->state];
}

void fxt_switch_view_prev_state_set(struct fxt_switch_view *view, __s64 number)
{
	unsigned int i;

	view->state = FXT_LINUX_R;
	for (i = FXT_LINUX_R; i <= FXT_LINUX_I; i++)
		if (number & fxt_linux_state_bits[i])
			view->state = (enum fxt_linux_state)i;
	view->preempted = view->state == FXT_LINUX_R && number & ~(__s64)0xff && view->prev;
}

int fxt_switch_view_parse(struct fxt_switch_view *view, const char *text, size_t count)
{
	const char *found = count && *text ? strchr(letters, *text) : NULL;

	if (!found)
		return -EINVAL;
	view->state = found - letters;
	view->preempted = count > 1 && text[count - 1] == '+';
	return 0;
}

/* The state by the argument's letter, or else by FXT's four bits. */
static void state_get(struct fxt_switch_view *view, const struct fxt_record *r)
{
	const struct fxt_arg *exact = fxt_record_arg(r, "state");

	view->preempted = false;
	if (exact && exact->type == FXT_ARG_STRING &&
	    !fxt_switch_view_parse(view, exact->string.bytes, exact->string.length))
		return;
	view->state = fxt_linux_state_implied(r->sched.state);
}

static __s32 priority_get(const struct fxt_record *r, const char *name)
{
	const struct fxt_arg *arg = fxt_record_arg(r, name);

	if (!arg || arg->type != FXT_ARG_INT32 || arg->int32 == FXT_WEIGHT_IDLE)
		return FXT_IDLE_PRIORITY;
	return arg->int32;
}

void fxt_switch_view_get(struct fxt_switch_view *view, const struct fxt_record *r)
{
	if (r->view) {
		*view = r->view->change;
		return;
	}
	view->cpu = r->sched.cpu;
	view->prev = r->sched.outgoing.thread;
	view->next = r->sched.incoming.thread;
	if (r->kind == FXT_KIND_LEGACY_SWITCH) {
		view->prev_prio = r->sched.outgoing_priority;
		view->next_prio = r->sched.incoming_priority;
	} else {
		view->prev_prio = priority_get(r, "outgoing_weight");
		view->next_prio = priority_get(r, "incoming_weight");
	}
	state_get(view, r);
}

/* By enum fxt_waker_context. */
static const char *const contexts[] = { "task", "softirq", "hardirq", "nmi" };

static void context_get(struct fxt_wakeup_view *view, const struct fxt_record *r)
{
	const struct fxt_arg *context = fxt_record_arg(r, "context");
	enum fxt_waker_context i;

	for (i = FXT_CONTEXT_SOFTIRQ; context && i <= FXT_CONTEXT_NMI; i++)
		if (fxt_arg_equal(context, contexts[i]))
			view->context = i;
}

void fxt_wakeup_view_get(struct fxt_wakeup_view *view, const struct fxt_record *r)
{
	const struct fxt_arg *priority;

	if (r->view) {
		*view = r->view->wakeup;
		return;
	}
	priority = fxt_record_arg(r, "priority");
	*view = (struct fxt_wakeup_view){
		.cpu = r->sched.cpu,
		.new = fxt_arg_equal(fxt_record_arg(r, "event"), "sched_wakeup_new"),
		.thread = r->sched.incoming.thread,
		.prio = priority_get(r, priority ? "priority" : "weight"),
		.target = r->sched.cpu,
		.on_cpu = priority,
	};
	context_get(view, r);
	fxt_provider_cpu(r->provider, &view->cpu);
	view->waker_known = !fxt_arg_number(fxt_record_arg(r, "waker"), &view->waker);
}

static void weight_put(struct fxt_record *r, const char *name, __u64 thread, __s32 prio)
{
	fxt_build_arg_int(r, fxt_build_string(name), thread ? prio : FXT_WEIGHT_IDLE);
}

void fxt_switch_view_put(const struct fxt_switch_view *view, struct fxt_record *r, __u64 ns)
{
	char letter = letters[view->state];

	fxt_build(r, FXT_KIND_CONTEXT_SWITCH, ns);
	r->sched.cpu = view->cpu;
	r->sched.outgoing.thread = view->prev;
	r->sched.incoming.thread = view->next;
	weight_put(r, "outgoing_weight", view->prev, view->prev_prio);
	weight_put(r, "incoming_weight", view->next, view->next_prio);
	r->sched.state = FXT_STATE_RUNNING;
	if (!view->prev)
		return;
	if (!view->preempted)
		r->sched.state = fxt_linux_state_fxt(view->state);
	if (view->preempted || fxt_linux_state_inexact(view->state))
		fxt_build_arg_string(r, fxt_build_string("state"),
				     view->preempted ? fxt_build_string("R+") :
				     fxt_build_text(strchr(letters, letter), 1));
}

void fxt_wakeup_view_put(const struct fxt_wakeup_view *view, struct fxt_record *r, __u64 ns)
{
	fxt_build(r, FXT_KIND_WAKEUP, ns);
	r->sched.cpu = view->target;
	r->sched.incoming.thread = view->thread;
	if (view->waker_known)
		fxt_build_arg_koid(r, fxt_build_string("waker"), view->waker);
	if (view->on_cpu || view->prio != FXT_PRIO_DEFAULT)
		fxt_build_arg_int(r, fxt_build_string("weight"),
				  view->on_cpu ? FXT_WEIGHT_IDLE : view->prio);
	if (view->new)
		fxt_build_arg_string(r, fxt_build_string("event"),
				     fxt_build_string("sched_wakeup_new"));
	if (view->on_cpu)
		fxt_build_arg_int(r, fxt_build_string("priority"), view->prio);
	if (view->context)
		fxt_build_arg_string(r, fxt_build_string("context"),
				     fxt_build_string(contexts[view->context]));
}

static const char sched[] = "sched", migrate[] = "sched_migrate_task";

static bool arg_is(const struct fxt_arg *arg, __u8 type, const char *name)
{
	return arg->type == type && fxt_text_equal(&arg->name, name);
}

int fxt_migrate_view_get(struct fxt_migrate_view *view, const struct fxt_record *r)
{
	const struct fxt_arg *arg = r->args;

	if (r->kind != FXT_KIND_EVENT || r->event.type != FXT_EVENT_INSTANT || r->event.logged ||
	    r->arg_count != 4 || !fxt_text_equal(&r->category, sched) ||
	    !fxt_text_equal(&r->name, migrate) || fxt_provider_cpu(r->provider, &view->cpu) ||
	    r->thread.thread != FXT_KOID_TRACK(view->cpu, FXT_TRACK_MIGRATIONS) ||
	    !arg_is(&arg[0], FXT_ARG_KOID, "thread") || !arg_is(&arg[1], FXT_ARG_INT32, "prio") ||
	    !arg_is(&arg[2], FXT_ARG_UINT32, "orig_cpu") ||
	    !arg_is(&arg[3], FXT_ARG_UINT32, "dest_cpu"))
		return -ENOENT;
	view->thread = arg[0].uint64;
	view->prio = arg[1].int32;
	view->from = arg[2].uint32;
	view->to = arg[3].uint32;
	return 0;
}

void fxt_migrate_view_put(const struct fxt_migrate_view *view, struct fxt_record *r, __u64 ns)
{
	fxt_build_event(r, FXT_EVENT_INSTANT, ns, 0, FXT_KOID_TRACK(view->cpu, FXT_TRACK_MIGRATIONS),
			fxt_build_string(sched), fxt_build_string(migrate));
	fxt_build_arg_koid(r, fxt_build_string("thread"), view->thread);
	fxt_build_arg_int(r, fxt_build_string("prio"), view->prio);
	fxt_build_arg_uint(r, fxt_build_string("orig_cpu"), view->from);
	fxt_build_arg_uint(r, fxt_build_string("dest_cpu"), view->to);
}

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
