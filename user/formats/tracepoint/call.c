// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints of system calls. */
#include "formats/tracepoint/kind.h"
#include "model/syscall_names.h"

/* raw_syscalls:sys_enter and sys_exit. */
int fxt_tp_read_sys_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 id;

	if (!fxt_tp_number(e, 0, &id))
		return 1;
	return e->line.nobody ? fxt_tp_read_other(rd, e) : fxt_ftrace_call_number(rd->p, &e->line, id);
}

int fxt_tp_read_sys_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 ret;

	if (!fxt_tp_number(e, 1, &ret))
		return 1;
	if (e->line.nobody)
		return fxt_tp_read_other(rd, e);
	return fxt_ftrace_call_exit(rd->p, &e->line, ret);
}

/* The kernel's syscalls:sys_enter_NAME, LTTng's syscall_entry_NAME and compat_syscall_entry_NAME. */
int fxt_tp_read_call_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	bool compat = !strncmp(e->tp->name, "compat_", 7);
	const char *name = NULL;
	__s64 number;

	if (rd->raw_syscalls || e->line.nobody)
		return fxt_tp_read_other(rd, e);
	if (fxt_tp_number(e, 0, &number))
		name = fxt_syscall_known(rd->p->names, number);
	return fxt_ftrace_call_enter(rd->p, &e->line, name ? name : e->tp->name + strlen(e->tp->kind->name) - 1, compat);
}

int fxt_tp_read_call_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 ret;

	if (rd->raw_syscalls || e->line.nobody)
		return fxt_tp_read_other(rd, e);
	return fxt_tp_number(e, 0, &ret) ? fxt_ftrace_call_exit(rd->p, &e->line, ret) : 1;
}
