// SPDX-License-Identifier: GPL-2.0-only
/* System calls: durations of their thread, one at a time. */
#include <errno.h>
#include <stdio.h>

#include "formats/ftrace/read.h"
#include "model/syscall_names.h"

struct call {
	bool open;
	bool compat;
	__u8 bytes;
	char name[63];
};

/* Begins p->r. */
static int event(struct fxt_ftrace_parser *p, enum fxt_event_type type, __u32 tid, const struct call *call,
		 __u64 ns)
{
	struct fxt_ftrace_task *t = fxt_ftrace_task(p, tid);

	if (!t)
		return -E2BIG;
	fxt_build_event(&p->r, type, ns, fxt_ftrace_process_of(t), tid,
			fxt_build_string(call->compat ? "syscalls of 32 bits" : "syscalls"),
			fxt_build_text(call->name, call->bytes));
	return 0;
}

/* Ends a thread's call without a result. */
static int close_lost(struct fxt_ftrace_parser *p, struct call *call, __u32 tid,
		      const struct fxt_ftrace_line *line)
{
	int err = event(p, FXT_EVENT_DURATION_END, tid, call, line->ns);

	call->open = false;
	return err ? err : fxt_ftrace_put_on(p, line->ns, line->cpu);
}

int fxt_ftrace_call_enter(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, const char *name,
			  bool compat)
{
	struct call *call = fxt_map_get(&p->calls, line->tid);
	int err = 0;

	if (!fxt_ftrace_task(p, line->tid))
		return -E2BIG;
	if (!call)
		call = fxt_map_new(&p->calls, line->tid, sizeof(*call));
	if (!call)
		return -ENOMEM;
	if (call->open)
		err = close_lost(p, call, line->tid, line);
	if (err)
		return err;
	call->open = true;
	call->compat = compat;
	call->bytes = strnlen(name, sizeof(call->name));
	memcpy(call->name, name, call->bytes);
	err = event(p, FXT_EVENT_DURATION_BEGIN, line->tid, call, line->ns);
	return err ? err : fxt_ftrace_put_on(p, line->ns, line->cpu);
}

int fxt_ftrace_call_exit(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s64 ret)
{
	struct call *call = fxt_map_get(&p->calls, line->tid);
	int err;

	if (!call || !call->open)
		return 0;
	call->open = false;
	err = event(p, FXT_EVENT_DURATION_END, line->tid, call, line->ns);
	if (err)
		return err;
	fxt_build_arg_int(&p->r, fxt_build_string("ret"), ret);
	return fxt_ftrace_put_on(p, line->ns, line->cpu);
}

int fxt_ftrace_call_lost(struct fxt_ftrace_parser *p, __u32 tid, const struct fxt_ftrace_line *line)
{
	struct call *call = fxt_map_get(&p->calls, tid);

	return call && call->open ? close_lost(p, call, tid, line) : 0;
}

/* Events don't say of which size their program is: it is taken for one of the machine's own. */
static const char *name_of(const struct fxt_ftrace_parser *p, __s64 id, char unnamed[40])
{
	const char *name = fxt_syscall_known(p->names, id);

	if (name)
		return name;
	snprintf(unnamed, 40, "syscall %lld", id);
	return unnamed;
}

int fxt_ftrace_call_number(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s64 id)
{
	char unnamed[40];

	return fxt_ftrace_call_enter(p, line, name_of(p, id, unnamed), false);
}

int fxt_ftrace_call_put(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __s64 id, const __s64 *ret)
{
	char unnamed[40];
	const char *name = ret && id < 0 ? "" : name_of(p, id, unnamed);
	size_t bytes = strlen(name);
	struct call call = { .bytes = bytes < sizeof(call.name) ? bytes : sizeof(call.name) };
	int err;

	memcpy(call.name, name, call.bytes);
	err = event(p, ret ? FXT_EVENT_DURATION_END : FXT_EVENT_DURATION_BEGIN, line->tid, &call, line->ns);
	if (err)
		return err;
	if (ret)
		fxt_build_arg_int(&p->r, fxt_build_string("ret"), *ret);
	p->r.event.unsettled = true;
	return fxt_ftrace_put_on(p, line->ns, line->cpu);
}
