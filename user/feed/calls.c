// SPDX-License-Identifier: GPL-2.0-only
/* Puts system calls: durations of their threads, one at a time for each thread. */
#include <errno.h>
#include <stdio.h>

#include "feed/feed.h"
#include "model/syscall_names.h"

struct call {
	bool open;
	bool compat;
	__u8 bytes;
	char name[63];
};

/* Starts f->r, an event of a thread's call. */
static int event(struct fxt_feed *f, enum fxt_event_type type, __u32 tid, const struct call *call, __u64 ns)
{
	return fxt_feed_start(f, type, ns, tid, fxt_build_string(call->compat ? "syscalls of 32 bits" : "syscalls"),
			      fxt_build_text(call->name, call->bytes));
}

/* Ends a thread's call without a result. */
static int close_lost(struct fxt_feed *f, struct call *call, __u32 tid,
		      const struct fxt_feed_event *e)
{
	int err = event(f, FXT_EVENT_DURATION_END, tid, call, e->ns);

	call->open = false;
	return err ? err : fxt_feed_put_on(f, e->ns, e->cpu);
}

int fxt_feed_call_enter(struct fxt_feed *f, const struct fxt_feed_event *e, const char *name,
			  bool compat)
{
	struct call *call = fxt_map_get(&f->calls, e->tid);
	int err = 0;

	if (!fxt_feed_thread(f, e->tid))
		return -E2BIG;
	if (!call)
		call = fxt_map_new(&f->calls, e->tid, sizeof(*call));
	if (!call)
		return -ENOMEM;
	if (call->open)
		err = close_lost(f, call, e->tid, e);
	if (err)
		return err;
	call->open = true;
	call->compat = compat;
	call->bytes = strnlen(name, sizeof(call->name));
	memcpy(call->name, name, call->bytes);
	err = event(f, FXT_EVENT_DURATION_BEGIN, e->tid, call, e->ns);
	return err ? err : fxt_feed_put_on(f, e->ns, e->cpu);
}

int fxt_feed_call_exit(struct fxt_feed *f, const struct fxt_feed_event *e, __s64 ret)
{
	struct call *call = fxt_map_get(&f->calls, e->tid);
	int err;

	if (!call || !call->open)
		return 0;
	call->open = false;
	err = event(f, FXT_EVENT_DURATION_END, e->tid, call, e->ns);
	if (err)
		return err;
	fxt_build_arg_int(&f->r, fxt_build_string("ret"), ret);
	return fxt_feed_put_on(f, e->ns, e->cpu);
}

int fxt_feed_call_lost(struct fxt_feed *f, __u32 tid, const struct fxt_feed_event *e)
{
	struct call *call = fxt_map_get(&f->calls, tid);

	return call && call->open ? close_lost(f, call, tid, e) : 0;
}

/* Names a call as the machine's own programs make it, as events don't have the size of their program. */
static const char *name_of(const struct fxt_feed *f, __s64 id, char unnamed[40])
{
	const char *name = fxt_syscall_known(f->names, id);

	if (name)
		return name;
	snprintf(unnamed, 40, "syscall %lld", id);
	return unnamed;
}

int fxt_feed_call_number(struct fxt_feed *f, const struct fxt_feed_event *e, __s64 id)
{
	char unnamed[40];

	return fxt_feed_call_enter(f, e, name_of(f, id, unnamed), false);
}

int fxt_feed_call_put(struct fxt_feed *f, const struct fxt_feed_event *e, __s64 id, const __s64 *ret)
{
	char unnamed[40];
	const char *name = ret && id < 0 ? "" : name_of(f, id, unnamed);
	size_t bytes = strlen(name);
	struct call call = { .bytes = bytes < sizeof(call.name) ? bytes : sizeof(call.name) };
	int err;

	memcpy(call.name, name, call.bytes);
	err = event(f, ret ? FXT_EVENT_DURATION_END : FXT_EVENT_DURATION_BEGIN, e->tid, &call, e->ns);
	if (err)
		return err;
	if (ret)
		fxt_build_arg_int(&f->r, fxt_build_string("ret"), *ret);
	f->r.event.unsettled = true;
	return fxt_feed_put_on(f, e->ns, e->cpu);
}
