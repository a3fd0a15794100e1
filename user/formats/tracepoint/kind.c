// SPDX-License-Identifier: GPL-2.0-only
/* Maps tracepoints to their readers, by the names that the kernel and LTTng give the tracepoints and fields. */
#include <errno.h>
#include <stdlib.h>

#include "feed/fields.h"
#include "formats/tracepoint/kind.h"
#include "util/utf8.h"

/* LTTng counts priorities from the first priority that isn't real time's. */
#define LTTNG_PRIORITY	100

/* Rows of the fields that the kernel's text also has. */
#define SWITCH(...)	{ "sched_switch", fxt_tp_read_switch, 0, { __VA_ARGS__ } },
#define WAKING(...)	{ "sched_waking", fxt_tp_read_waking, 0, { __VA_ARGS__ } },
#define WAKEUP(...)	{ "sched_wakeup", fxt_tp_read_wakeup, 0, { __VA_ARGS__ } },
#define WAKEUP_NEW(...)	{ "sched_wakeup_new", fxt_tp_read_wakeup_new, 0, { __VA_ARGS__ } },
#define MIGRATE(...)	{ "sched_migrate_task", fxt_tp_read_migrate, 0, { __VA_ARGS__ } },
#define NEWTASK(...)	{ "task_newtask", fxt_tp_read_task_new, 0, { __VA_ARGS__ } },

static const struct fxt_tp_kind kinds[] = {
	FXT_FIELDS_SWITCH(SWITCH)
	{ "sched_switch", fxt_tp_read_switch, LTTNG_PRIORITY,
	  { "prev_comm", "prev_tid", "prev_prio", "prev_state", "next_comm", "next_tid", "next_prio" } },
	FXT_FIELDS_WAKEUP(WAKING)
	{ "sched_waking", fxt_tp_read_waking, LTTNG_PRIORITY, { "comm", "tid", "prio", "target_cpu" } },
	FXT_FIELDS_WAKEUP(WAKEUP)
	{ "sched_wakeup", fxt_tp_read_wakeup, LTTNG_PRIORITY, { "comm", "tid", "prio", "target_cpu" } },
	FXT_FIELDS_WAKEUP(WAKEUP_NEW)
	{ "sched_wakeup_new", fxt_tp_read_wakeup_new, LTTNG_PRIORITY,
	  { "comm", "tid", "prio", "target_cpu" } },
	FXT_FIELDS_MIGRATE(MIGRATE)
	{ "sched_migrate_task", fxt_tp_read_migrate, LTTNG_PRIORITY,
	  { "comm", "tid", "prio", "orig_cpu", "dest_cpu" } },
	FXT_FIELDS_NEWTASK(NEWTASK)
	{ "task_rename", fxt_tp_read_task_rename, 0, { "?pid", "newcomm" } },
	{ "task_rename", fxt_tp_read_task_rename, 0, { "tid", "newcomm" } },
	{ "perf_comm", fxt_tp_read_task_state, 0, { "tid", "pid", "comm" } },
	{ "lttng_statedump_process_state", fxt_tp_read_task_state, 0, { "tid", "pid", "name" } },
	{ "sched_process_fork", fxt_tp_read_fork, 0, { "?child_comm", "child_pid" } },
	{ "sched_process_fork", fxt_tp_read_fork, 0, { "child_comm", "child_tid", "child_pid" } },
	{ "sched_process_exec", fxt_tp_read_exec, 0, { "pid", "old_pid" } },
	{ "sched_process_exec", fxt_tp_read_exec, 0, { "tid", "old_tid" } },
	{ "sched_process_exit", fxt_tp_read_exit, 0, { "pid" } },
	{ "sched_process_exit", fxt_tp_read_exit, 0, { "tid" } },
	{ "irq_handler_entry", fxt_tp_read_irq_entry, 0, { "irq", "name" } },
	{ "irq_handler_exit", fxt_tp_read_irq_exit, 0, { "irq", "ret" } },
	{ "softirq_entry", fxt_tp_read_softirq_entry, 0, { "vec" } },
	{ "irq_softirq_entry", fxt_tp_read_softirq_entry, 0, { "vec" } },
	{ "softirq_exit", fxt_tp_read_softirq_exit, 0, { "vec" } },
	{ "irq_softirq_exit", fxt_tp_read_softirq_exit, 0, { "vec" } },
	{ "timer_expire_entry", fxt_tp_read_timer, 0, {} },
	{ "timer_expire_exit", fxt_tp_read_timer, 0, {} },
	{ "hrtimer_expire_entry", fxt_tp_read_timer, 0, {} },
	{ "hrtimer_expire_exit", fxt_tp_read_timer, 0, {} },
	{ "timer_hrtimer_expire_entry", fxt_tp_read_timer, 0, {} },
	{ "timer_hrtimer_expire_exit", fxt_tp_read_timer, 0, {} },
	{ "cpu_idle", fxt_tp_read_idle, 0, { "state", "cpu_id" } },
	{ "power_cpu_idle", fxt_tp_read_idle, 0, { "state", "cpu_id" } },
	{ "cpu_frequency", fxt_tp_read_frequency, 0, { "state", "cpu_id" } },
	{ "power_cpu_frequency", fxt_tp_read_frequency, 0, { "state", "cpu_id" } },
	{ "sys_enter", fxt_tp_read_sys_enter, 0, { "id" } },
	{ "sys_exit", fxt_tp_read_sys_exit, 0, { "id", "ret" } },
	{ "sys_enter_*", fxt_tp_read_call_enter, 0, { "?__syscall_nr" } },
	{ "sys_exit_*", fxt_tp_read_call_exit, 0, { "ret" } },
	{ "syscall_entry_*", fxt_tp_read_call_enter, 0, {} },
	{ "syscall_exit_*", fxt_tp_read_call_exit, 0, { "ret" } },
	{ "compat_syscall_entry_*", fxt_tp_read_call_enter, 0, {} },
	{ "compat_syscall_exit_*", fxt_tp_read_call_exit, 0, { "ret" } },
	{ "print", fxt_tp_read_print, 0, { "buf" } },
	{ "tracing_mark_write", fxt_tp_read_print, 0, { "buf" } },
};

static const struct fxt_tp_kind other = { "", fxt_tp_read_other, 0, {} };

/* Copies a text, with valid characters only. */
static char *copy(const char *text)
{
	char *made = strndup(text, 255);

	if (made)
		fxt_utf8_mend(made, strlen(made));
	return made;
}

struct fxt_tp *fxt_tp_new(const char *subsystem, const char *name)
{
	struct fxt_tp *tp = calloc(1, sizeof(*tp));

	if (!tp)
		return NULL;
	tp->subsystem = copy(subsystem);
	tp->name = copy(name);
	tp->kind = &other;
	if (tp->subsystem && tp->name)
		return tp;
	fxt_tp_free(tp);
	return NULL;
}

int fxt_tp_field_add(struct fxt_tp *tp, const char *name, enum fxt_tp_type type, __u32 offset, __u32 bytes)
{
	struct fxt_tp_field *f = &tp->field[tp->fields];

	if (tp->fields == FXT_TP_FIELDS_MAX) {
		tp->left_out++;
		return 0;
	}
	*f = (struct fxt_tp_field){ copy(name), offset, bytes, type };
	if (!f->name)
		return -ENOMEM;
	tp->fields++;
	return 0;
}

void fxt_tp_free(struct fxt_tp *tp)
{
	if (!tp || tp->form_number)
		return;
	while (tp->fields)
		free(tp->field[--tp->fields].name);
	free(tp->subsystem);
	free(tp->name);
	free(tp);
}

static int field_of(const struct fxt_tp *tp, const char *name)
{
	unsigned int i;

	for (i = 0; i < tp->fields; i++)
		if (!strcmp(tp->field[i].name, name))
			return i;
	return -1;
}

static bool named(const struct fxt_tp *tp, const struct fxt_tp_kind *kind)
{
	size_t bytes = strlen(kind->name) - 1;

	return kind->name[bytes] == '*' ? !strncmp(tp->name, kind->name, bytes) : !strcmp(tp->name, kind->name);
}

/* Returns whether the tracepoint has all fields of a kind. */
static bool fits(struct fxt_tp *tp, const struct fxt_tp_kind *kind)
{
	unsigned int i;

	for (i = 0; i < FXT_TP_ROLES_MAX; i++) {
		const char *name = kind->field[i];
		bool needed = name && *name != '?';

		tp->role[i] = name ? field_of(tp, name + !needed) : -1;
		if (needed && tp->role[i] < 0)
			return false;
	}
	return true;
}

void fxt_tp_known(struct fxt_tp_reader *rd, struct fxt_tp *tp)
{
	size_t i;

	fxt_tp_form_set(tp);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!named(tp, &kinds[i]) || !fits(tp, &kinds[i]))
			continue;
		tp->kind = &kinds[i];
		rd->waking |= kinds[i].read == fxt_tp_read_waking;
		rd->switches |= kinds[i].read == fxt_tp_read_switch;
		rd->raw_syscalls |= kinds[i].read == fxt_tp_read_sys_enter;
		return;
	}
}
