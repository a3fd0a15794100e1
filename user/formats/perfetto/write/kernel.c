// SPDX-License-Identifier: GPL-2.0-only
/* Writes interrupts, system calls and power states as the kernel's own events of their CPU. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/provider.h"
#include "convert/power.h"
#include "formats/perfetto/write/bundle.h"
#include "fxt/events.h"
#include "model/cpu.h"
#include "model/syscall_names.h"

/* An event that may be one of the kernel's, and its CPU. */
struct kernel {
	struct fxt_pf_file *f;
	const struct fxt_record *r;
	struct fxt_pf_cpu *cpu;
	struct fxt_pf_event e;
	struct fxt_pf_message m;
};

static const char *const softirqs[] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU",
};

#define SOFTIRQS	(sizeof(softirqs) / sizeof(*softirqs))

const char *fxt_pf_softirq(__u32 number)
{
	return number < SOFTIRQS ? softirqs[number] : NULL;
}

static bool is_begin(const struct fxt_record *r)
{
	return r->event.type == FXT_EVENT_DURATION_BEGIN;
}

static bool is_end(const struct fxt_record *r)
{
	return r->event.type == FXT_EVENT_DURATION_END;
}

/* Returns whether an argument has a name and a type. */
static bool arg_is(const struct fxt_record *r, unsigned int i, const char *name, enum fxt_argument_type type)
{
	return i < r->arg_count && r->args[i].type == type && fxt_text_equal(&r->args[i].name, name);
}

/* Returns whether the reader knows the event's process by its thread, as the process isn't written. */
static bool process_known(const struct fxt_pf_file *f, const struct fxt_record *r)
{
	const struct fxt_pf_thread *thread = fxt_pf_thread(f, r->thread.thread);

	return thread && thread->process == r->thread.process && r->thread.thread <= INT32_MAX;
}

static bool on_track(const struct kernel *k, __u32 track)
{
	return k->r->thread.thread == FXT_KOID_TRACK(k->cpu->cpu, track) && process_known(k->f, k->r);
}

/* Returns whether an event is an end without a name, which a recorder writes for a lost end. */
static bool is_repair(const struct fxt_record *r)
{
	return is_end(r) && !r->category.length && !r->name.length && !r->arg_count;
}

static int put(struct kernel *k, __u32 field)
{
	int err = fxt_pf_bundle_ready(k->f, k->cpu, k->r->ticks, FXT_PF_FULL);

	k->e.ns = k->r->ticks;
	k->e.field = field;
	if (!err)
		fxt_pf_bundle_add(k->f, k->cpu, &k->e, &k->m);
	return err ? err : 1;
}

static int put_running(struct kernel *k, __u32 field)
{
	fxt_pf_event_running(k->f, k->cpu, &k->e);
	return put(k, field);
}

/* Returns whether another slice within the open one starts or ends. */
static bool is_within(const struct fxt_record *r, __u32 *within)
{
	if (is_begin(r))
		++*within;
	else if (!is_end(r) || !*within)
		return false;
	else
		--*within;
	return true;
}

/*
 * Writes a handler.  Its end is the kernel's event if its start was: a recorder's tracks have one slice at a time.  The
 * end of another handler closes it, too.
 */
static int handler(struct kernel *k)
{
	struct fxt_pf_text_held *held = &k->cpu->handler;
	const struct fxt_record *r = k->r;

	if (k->cpu->handling && is_within(r, &k->cpu->handlers_within))
		return 0;
	if (is_begin(r) && r->arg_count == 1 && arg_is(r, 0, "irq", FXT_ARG_INT32) &&
	    r->name.length <= FXT_PF_TEXT_MAX) {
		k->cpu->handling = true;
		k->cpu->handler_irq = r->args[0].int32;
		held->length = r->name.length;
		memcpy(held->bytes, r->name.bytes, r->name.length);
		fxt_pf_message_number(&k->m, 1, (__s64)r->args[0].int32);
		fxt_pf_message_text(&k->m, 2, r->name.bytes, r->name.length);
		return put_running(k, FXT_PF_IRQ_HANDLER_ENTRY);
	}
	if (!k->cpu->handling || !is_end(r))
		return 0;
	k->cpu->handling = false;
	if (!is_repair(r)) {
		if (r->arg_count != 2 || !arg_is(r, 0, "irq", FXT_ARG_INT32) || !arg_is(r, 1, "ret", FXT_ARG_INT32) ||
		    r->args[0].int32 != k->cpu->handler_irq || r->name.length != held->length ||
		    memcmp(r->name.bytes, held->bytes, held->length))
			return 0;
		fxt_pf_message_number(&k->m, 1, (__s64)r->args[0].int32);
		fxt_pf_message_number(&k->m, 2, (__s64)r->args[1].int32);
	}
	return put_running(k, FXT_PF_IRQ_HANDLER_EXIT);
}

static __u32 softirq_number(const struct fxt_record *r)
{
	__u32 i;

	for (i = 0; i < SOFTIRQS; i++)
		if (fxt_text_equal(&r->name, softirqs[i]))
			break;
	return i;
}

static int softirq(struct kernel *k)
{
	__u32 number = softirq_number(k->r), open = k->cpu->softirq;
	bool begins = is_begin(k->r);

	if (open && is_within(k->r, &k->cpu->softirqs_within))
		return 0;
	if (!begins && !is_end(k->r))
		return 0;
	k->cpu->softirq = 0;
	if (open && is_repair(k->r))
		return put_running(k, FXT_PF_SOFTIRQ_EXIT);
	if (number == SOFTIRQS || k->r->arg_count || (!begins && open != number + 1))
		return 0;
	k->cpu->softirq = begins ? number + 1 : 0;
	fxt_pf_message_number(&k->m, 1, number);
	return put_running(k, begins ? FXT_PF_SOFTIRQ_ENTRY : FXT_PF_SOFTIRQ_EXIT);
}

static int power(struct kernel *k)
{
	bool idle;

	if (!fxt_is_power(k->r, &idle) || k->r->event.id >= FXT_PF_CPUS)
		return 0;
	fxt_pf_message_number(&k->m, 1, k->r->args[0].uint32);
	fxt_pf_message_number(&k->m, 2, k->r->event.id);
	return put_running(k, idle ? FXT_PF_CPU_IDLE : FXT_PF_CPU_FREQUENCY);
}

/* Returns the number + 1 of a call's name, cached by the name's number in the sorter's table; 0: no number. */
static __u32 syscall_number(struct fxt_pf_file *f, const struct fxt_text *name)
{
	__u16 *known;
	int number;

	if (name->ref & FXT_REF_INLINE || !name->ref)
		return 0;
	if (!f->syscalls)
		f->syscalls = calloc(FXT_STRING_INDEX_MAX + 1, sizeof(*f->syscalls));
	if (!f->syscalls)
		return 0;
	known = &f->syscalls[name->ref];
	if (!*known) {
		number = fxt_syscall_number(f->calls, name);
		*known = number < 0 ? UINT16_MAX : number + 1;
	}
	return *known == UINT16_MAX ? 0 : *known;
}

/* Adds the result at a call's end, in 32 bits where that is enough; false where the end has other arguments. */
static bool result_put(struct kernel *k)
{
	const struct fxt_record *r = k->r;

	if (!r->arg_count)
		return true;
	if (r->arg_count > 1 || !(arg_is(r, 0, "ret", FXT_ARG_INT32) ||
				  (arg_is(r, 0, "ret", FXT_ARG_INT64) && r->args[0].int64 != (__s32)r->args[0].int64)))
		return false;
	fxt_pf_message_number(&k->m, 2, r->args[0].type == FXT_ARG_INT32 ? r->args[0].int32 : r->args[0].int64);
	return true;
}

static int system_call(struct kernel *k)
{
	struct fxt_pf_thread *thread = fxt_pf_thread(k->f, k->r->thread.thread);
	bool begins = is_begin(k->r);
	__u32 number, open;

	if (!k->f->calls || !process_known(k->f, k->r) || (!begins && !is_end(k->r)))
		return 0;
	number = syscall_number(k->f, &k->r->name);
	open = thread->call;
	thread->call = 0;
	if (!number || (begins ? k->r->arg_count : open != number))
		return 0;
	fxt_pf_message_number(&k->m, 1, number - 1);
	if (!begins && !result_put(k))
		return 0;
	thread->call = begins ? number : 0;
	k->e.pid = k->r->thread.thread;
	return put(k, begins ? FXT_PF_SYS_ENTER : FXT_PF_SYS_EXIT);
}

/* Keeps the event for the switch that follows; the event itself is written like others. */
static int blocked_keep(struct kernel *k)
{
	const struct fxt_record *r = k->r;
	const struct fxt_arg *function = fxt_record_arg(r, "function"), *iowait = fxt_record_arg(r, "iowait");

	if (r->event.type != FXT_EVENT_INSTANT || !fxt_text_equal(&r->name, "blocked") || !function ||
	    function->type != FXT_ARG_STRING || function->string.ref & FXT_REF_INLINE || !iowait ||
	    iowait->type != FXT_ARG_UINT32)
		return 0;
	k->cpu->blocking = true;
	k->cpu->blocked = r->thread.thread;
	k->cpu->function = function->string;
	k->cpu->iowait = iowait->uint32;
	return 0;
}

int fxt_pf_kernel_event(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct kernel k;
	__u32 number;
	int err;

	if (!r->provider || fxt_provider_cpu(r->provider, &number) || number >= FXT_PF_CPUS)
		return 0;
	k.cpu = fxt_pf_cpu(f, number, &err);
	if (!k.cpu)
		return err;
	k.f = f;
	k.r = r;
	k.e = (struct fxt_pf_event){ 0 };
	k.m.length = 0;
	if (fxt_text_equal(&r->category, "syscalls"))
		return system_call(&k);
	if (fxt_text_equal(&r->category, "sched"))
		return blocked_keep(&k);
	if (fxt_text_equal(&r->category, "ftrace"))
		return fxt_pf_other_event(f, k.cpu, r);
	if (fxt_text_equal(&r->category, "power"))
		return on_track(&k, FXT_TRACK_IRQ) ? power(&k) : fxt_pf_typed_event(f, k.cpu, r);
	if ((fxt_text_equal(&r->category, "irq") || is_repair(r)) && on_track(&k, FXT_TRACK_IRQ))
		return handler(&k);
	if ((fxt_text_equal(&r->category, "irq") || is_repair(r)) && on_track(&k, FXT_TRACK_SOFTIRQ))
		return softirq(&k);
	/* A mark has no category; a plain text has the category "mark". */
	if (!r->category.length || fxt_text_equal(&r->category, "mark"))
		return fxt_pf_mark_put(f, k.cpu, r);
	return fxt_text_equal(&r->category, "irq") ? 0 : fxt_pf_typed_event(f, k.cpu, r);
}
