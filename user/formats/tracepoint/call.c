// SPDX-License-Identifier: GPL-2.0-only
/* Reads tracepoints of system calls. */
#include "formats/tracepoint/kind.h"
#include "model/syscall_names.h"

/* Reads raw_syscalls:sys_enter and sys_exit. */
int fxt_tp_read_sys_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 id;

	if (!fxt_tp_number(e, 0, &id))
		return 1;
	return e->head.nobody ? fxt_tp_read_other(rd, e) : fxt_feed_call_number(&rd->feed, &e->head, id);
}

int fxt_tp_read_sys_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 ret;

	if (!fxt_tp_number(e, 1, &ret))
		return 1;
	if (e->head.nobody)
		return fxt_tp_read_other(rd, e);
	return fxt_feed_call_exit(&rd->feed, &e->head, ret);
}

/* Reads the kernel's syscalls:sys_enter_NAME, and LTTng's syscall_entry_NAME and compat_syscall_entry_NAME. */
int fxt_tp_read_call_enter(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	bool compat = !strncmp(e->tp->name, "compat_", 7);
	const char *name = NULL;
	__s64 number;

	if (rd->raw_syscalls || e->head.nobody)
		return fxt_tp_read_other(rd, e);
	if (fxt_tp_number(e, 0, &number))
		name = fxt_syscall_known(rd->feed.names, number);
	return fxt_feed_call_enter(&rd->feed, &e->head, name ? name : e->tp->name + strlen(e->tp->kind->name) - 1, compat);
}

int fxt_tp_read_call_exit(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__s64 ret;

	if (rd->raw_syscalls || e->head.nobody)
		return fxt_tp_read_other(rd, e);
	return fxt_tp_number(e, 0, &ret) ? fxt_feed_call_exit(&rd->feed, &e->head, ret) : 1;
}
