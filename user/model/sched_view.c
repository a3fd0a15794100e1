// SPDX-License-Identifier: GPL-2.0-only
/* Converts between scheduling records and their views in Linux' terms. */
#include <errno.h>
#include <string.h>

#include "fxt/events.h"
#include "model/build.h"
#include "model/cpu.h"
#include "model/sched_view.h"

#define LETTER(arg, name, letter, fxt, letter_is, bit)	letter
#define NAME(arg, name, letter, fxt, letter_is, bit)	letter,

/* Letters by enum fxt_linux_state. */
static const char letters[] = FXT_LINUX_STATES(LETTER, );

const char *fxt_switch_view_letters(const struct fxt_switch_view *view)
{
	static const char *const names[] = { FXT_LINUX_STATES(NAME, ) };

	return view->preempted ? "R+" : names[view->state];
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

/* Reads the state from the argument's letter, or else from FXT's four bits. */
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

/* Returns whether a context switch's thread is idle, whatever its koid: each CPU may have its own. */
static bool idle_get(const struct fxt_record *r, const char *weight, const struct fxt_thread_koids *thread, __u8 priority)
{
	const struct fxt_arg *arg;

	if (thread && r->kind == FXT_KIND_LEGACY_SWITCH)
		return !thread->process && !priority && !thread->unknown;
	arg = fxt_record_arg(r, weight);
	return arg && arg->type == FXT_ARG_INT32 && arg->int32 == FXT_WEIGHT_IDLE;
}

static const char *const unchosen[] = { "", "outgoing", "incoming", "both" };

const char *fxt_switch_view_unchosen(const struct fxt_switch_view *view)
{
	return unchosen[view->unchosen];
}

enum fxt_unchosen fxt_unchosen_parse(const char *text, size_t count)
{
	enum fxt_unchosen i;

	for (i = FXT_UNCHOSEN_BOTH; i; i--)
		if (count == strlen(unchosen[i]) && !memcmp(text, unchosen[i], count))
			break;
	return i;
}

static void unchosen_get(struct fxt_switch_view *view, const struct fxt_record *r)
{
	const struct fxt_arg *arg = fxt_record_arg(r, "unchosen");

	view->unchosen = arg && arg->type == FXT_ARG_STRING ?
			 fxt_unchosen_parse(arg->string.bytes, arg->string.length) : FXT_UNCHOSEN_NONE;
}

static const char *const object_names[FXT_ONS] = {
#define NAME_OF(arg, name, text)	[FXT_ON_##name] = text,
	FXT_OBJECT_KINDS(NAME_OF, )
#undef NAME_OF
};

const char *fxt_object_kind_name(enum fxt_object_kind kind)
{
	return object_names[kind];
}

static __u32 small_get(const struct fxt_record *r, const char *name)
{
	__u64 value;

	return !fxt_arg_number(fxt_record_arg(r, name), &value) && value <= ~0U ? value : 0;
}

static void reason_get(struct fxt_sleep_reason *reason, const struct fxt_record *r)
{
	*reason = (struct fxt_sleep_reason){ .bits = small_get(r, "reason") };
	if (!reason->bits)
		return;
	for (reason->kind = FXT_ONS - 1; reason->kind; reason->kind--)
		if (!fxt_arg_number(fxt_record_arg(r, object_names[reason->kind]), &reason->object))
			break;
	if (!reason->kind)
		return;
	reason->device = small_get(r, "device");
	if (reason->kind == FXT_ON_FUTEX) {
		fxt_arg_number(fxt_record_arg(r, "inode"), &reason->inode);
		fxt_arg_number(fxt_record_arg(r, "offset"), &reason->offset);
	}
	reason->holder = small_get(r, fxt_object_is_lock(reason->kind) ? "owner" : "holder");
}

static void reason_put(const struct fxt_sleep_reason *reason, struct fxt_record *r)
{
	fxt_build_arg_uint(r, fxt_build_string("reason"), reason->bits);
	if (!reason->kind)
		return;
	fxt_build_arg_uint(r, fxt_build_string(object_names[reason->kind]), reason->object);
	if (fxt_reason_is_mapped(reason))
		fxt_build_arg_uint(r, fxt_build_string("inode"), reason->inode);
	if (reason->device)
		fxt_build_arg_uint(r, fxt_build_string("device"), reason->device);
	if (fxt_reason_is_mapped(reason))
		fxt_build_arg_uint(r, fxt_build_string("offset"), reason->offset);
	if (reason->holder)
		fxt_build_arg_uint(r, fxt_build_string(fxt_object_is_lock(reason->kind) ? "owner" : "holder"),
				   reason->holder);
}

void fxt_switch_view_get(struct fxt_switch_view *view, const struct fxt_record *r)
{
	static const char outgoing[] = "outgoing_weight", incoming[] = "incoming_weight";

	if (r->view) {
		*view = r->view->change;
		return;
	}
	view->cpu = r->sched.cpu;
	view->prev = idle_get(r, outgoing, &r->sched.outgoing, r->sched.outgoing_priority) ? 0 : r->sched.outgoing.thread;
	view->next = idle_get(r, incoming, &r->sched.incoming, r->sched.incoming_priority) ? 0 : r->sched.incoming.thread;
	if (r->kind == FXT_KIND_LEGACY_SWITCH) {
		view->prev_prio = view->prev ? r->sched.outgoing_priority : FXT_IDLE_PRIORITY;
		view->next_prio = view->next ? r->sched.incoming_priority : FXT_IDLE_PRIORITY;
	} else {
		view->prev_prio = priority_get(r, outgoing);
		view->next_prio = priority_get(r, incoming);
	}
	state_get(view, r);
	unchosen_get(view, r);
	reason_get(&view->reason, r);
}

const char *fxt_context_name(enum fxt_waker_context context)
{
	static const char *const names[FXT_CONTEXTS] = {
		"task", "softirq", "hardirq", "nmi", "softirq timer", "hardirq timer",
	};

	return names[context];
}

enum fxt_waker_context fxt_context_parse(const char *text, size_t count)
{
	enum fxt_waker_context i;

	/* Try the longest name first. */
	for (i = FXT_CONTEXTS - 1; i; i--) {
		size_t bytes = strlen(fxt_context_name(i));

		if (count >= bytes && !memcmp(text, fxt_context_name(i), bytes) && (count == bytes || text[bytes] == ' '))
			break;
	}
	return i;
}

static enum fxt_waker_context context_get(const struct fxt_record *r)
{
	const struct fxt_arg *context = fxt_record_arg(r, "context");

	return context && context->type == FXT_ARG_STRING ?
	       fxt_context_parse(context->string.bytes, context->string.length) : FXT_CONTEXT_TASK;
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
		.thread = !priority && idle_get(r, "weight", NULL, 0) ? 0 : r->sched.incoming.thread,
		.prio = priority_get(r, priority ? "priority" : "weight"),
		.target = r->sched.cpu,
		.on_cpu = priority,
		.context = context_get(r),
	};
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
	if (view->prev && !view->preempted)
		r->sched.state = fxt_linux_state_fxt(view->state);
	if (view->prev && (view->preempted || fxt_linux_state_inexact(view->state)))
		fxt_build_arg_string(r, fxt_build_string("state"),
				     view->preempted ? fxt_build_string("R+") :
				     fxt_build_text(strchr(letters, letter), 1));
	if (view->reason.bits)
		reason_put(&view->reason, r);
	if (view->unchosen)
		fxt_build_arg_string(r, fxt_build_string("unchosen"), fxt_build_string(unchosen[view->unchosen]));
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
				     fxt_build_string(fxt_context_name(view->context)));
}

static const char sched[] = "sched", migrate[] = "sched_migrate_task";

static bool arg_is(const struct fxt_arg *arg, __u8 type, const char *name)
{
	return arg->type == type && fxt_text_equal(&arg->name, name);
}

bool fxt_is_migration(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_INSTANT && fxt_text_equal(&r->category, sched) &&
	       fxt_text_equal(&r->name, migrate);
}

int fxt_migrate_view_get(struct fxt_migrate_view *view, const struct fxt_record *r)
{
	const struct fxt_arg *arg = r->args;

	if (r->kind == FXT_KIND_EVENT && r->view) {
		*view = r->view->migrate;
		return 0;
	}
	if (r->arg_count != 4 || !fxt_is_migration(r) || r->event.logged || fxt_provider_cpu(r->provider, &view->cpu) ||
	    r->thread.thread != FXT_KOID_TRACK(view->cpu, FXT_TRACK_MIGRATIONS) ||
	    !arg_is(&arg[0], FXT_ARG_KOID, "thread") || !arg_is(&arg[1], FXT_ARG_INT32, "prio") ||
	    !arg_is(&arg[2], FXT_ARG_UINT32, "orig_cpu") ||
	    !arg_is(&arg[3], FXT_ARG_UINT32, "dest_cpu") ||
	    arg[1].int32 == FXT_WEIGHT_IDLE || (arg[2].uint32 | arg[3].uint32) > FXT_VIEW_CPU_MAX)
		return -ENOENT;
	view->thread = arg[0].uint64;
	view->prio = arg[1].int32;
	view->from = arg[2].uint32;
	view->to = arg[3].uint32;
	return 0;
}

void fxt_migrate_view_put(const struct fxt_migrate_view *view, struct fxt_record *r, __u64 ns)
{
	__u64 track = FXT_KOID_TRACK(view->cpu, FXT_TRACK_MIGRATIONS);

	fxt_build_event(r, FXT_EVENT_INSTANT, ns, track, track, fxt_build_string(sched),
			fxt_build_string(migrate));
	fxt_build_arg_koid(r, fxt_build_string("thread"), view->thread);
	fxt_build_arg_int(r, fxt_build_string("prio"), view->prio);
	fxt_build_arg_uint(r, fxt_build_string("orig_cpu"), view->from);
	fxt_build_arg_uint(r, fxt_build_string("dest_cpu"), view->to);
}
