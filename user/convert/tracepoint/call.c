// SPDX-License-Identifier: GPL-2.0-only
/* System calls: durations of their thread, one at a time. */
#include <errno.h>
#include <stdio.h>

#include "convert/tracepoint/kind.h"
#include "model/syscall_names.h"

struct call {
	bool open;
	bool compat;
	__u8 bytes;
	char name[63];
};

/* Begins p->r. */
static int event(struct fxt_tp_reader *rd, enum fxt_event_type type, __u32 tid, const struct call *call,
		 __u64 ns)
{
	struct fxt_ftrace_task *t = fxt_ftrace_task(rd->p, tid);

	if (!t)
		return -E2BIG;
	fxt_build_event(&rd->p->r, type, ns, fxt_ftrace_process_of(t), tid,
			fxt_build_string(call->compat ? "syscalls of 32 bits" : "syscalls"),
			fxt_build_text(call->name, call->bytes));
	return 0;
}

/* Ends a thread's call without a result. */
static int close_lost(struct fxt_tp_reader *rd, struct call *call, __u32 tid,
		      const struct fxt_ftrace_line *line)
{
	int err = event(rd, FXT_EVENT_DURATION_END, tid, call, line->ns);

	call->open = false;
	return err ? err : fxt_ftrace_put_on(rd->p, line->ns, line->cpu);
}

static int enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, const char *name, bool compat)
{
	struct call *call = fxt_map_get(&rd->calls, e->line.tid);
	int err = 0;

	if (!call)
		call = fxt_map_new(&rd->calls, e->line.tid, sizeof(*call));
	if (!call)
		return -ENOMEM;
	if (call->open)
		err = close_lost(rd, call, e->line.tid, &e->line);
	if (err)
		return err;
	call->open = true;
	call->compat = compat;
	call->bytes = strnlen(name, sizeof(call->name));
	memcpy(call->name, name, call->bytes);
	err = event(rd, FXT_EVENT_DURATION_BEGIN, e->line.tid, call, e->line.ns);
	return err ? err : fxt_ftrace_put_on(rd->p, e->line.ns, e->line.cpu);
}

static int leave(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, __s64 ret)
{
	struct call *call = fxt_map_get(&rd->calls, e->line.tid);
	int err;

	if (!call || !call->open)
		return 0;
	call->open = false;
	err = event(rd, FXT_EVENT_DURATION_END, e->line.tid, call, e->line.ns);
	if (err)
		return err;
	fxt_build_arg_int(&rd->p->r, fxt_build_string("ret"), ret);
	return fxt_ftrace_put_on(rd->p, e->line.ns, e->line.cpu);
}

int fxt_tp_thread_exit(struct fxt_tp_reader *rd, __u32 tid, const struct fxt_ftrace_line *line)
{
	struct call *call = fxt_map_get(&rd->calls, tid);

	return call && call->open ? close_lost(rd, call, tid, line) : 0;
}

/* raw_syscalls:sys_enter and sys_exit. */
int fxt_tp_read_sys_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	const char *name;
	char unnamed[40];
	__s64 id;

	if (!fxt_tp_number(e, 0, &id))
		return 1;
	if (e->line.nobody)
		return fxt_tp_read_other(rd, e);
	/* Events don't say of which size their program is: it is taken for one of the machine's own. */
	name = rd->foreign ? NULL : fxt_syscall_known(id);
	if (!name) {
		snprintf(unnamed, sizeof(unnamed), "syscall %lld", id);
		name = unnamed;
	}
	return enter(rd, e, name, false);
}

int fxt_tp_read_sys_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 ret;

	if (!fxt_tp_number(e, 1, &ret))
		return 1;
	if (e->line.nobody)
		return fxt_tp_read_other(rd, e);
	return leave(rd, e, ret);
}

/* The kernel's syscalls:sys_enter_NAME, LTTng's syscall_entry_NAME and compat_syscall_entry_NAME. */
int fxt_tp_read_call_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	bool compat = !strncmp(e->tp->name, "compat_", 7);
	const char *name = NULL;
	__s64 number;

	if (rd->raw_syscalls || e->line.nobody)
		return fxt_tp_read_other(rd, e);
	if (!rd->foreign && fxt_tp_number(e, 0, &number))
		name = fxt_syscall_known(number);
	return enter(rd, e, name ? name : e->tp->name + strlen(e->tp->kind->name) - 1, compat);
}

int fxt_tp_read_call_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 ret;

	if (rd->raw_syscalls || e->line.nobody)
		return fxt_tp_read_other(rd, e);
	return fxt_tp_number(e, 0, &ret) ? leave(rd, e, ret) : 1;
}
