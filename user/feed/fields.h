/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of the kernel's tracepoints of threads, as text and binary files have them.  A row is one spelling of all
 * fields; a kernel that renames a field gets one more row, after the older rows.
 */
#ifndef FXT_FEED_FIELDS_H
#define FXT_FEED_FIELDS_H

#define FXT_FIELDS_SWITCH(ROW)	/* sched_switch */	\
	ROW("prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio")

#define FXT_FIELDS_WAKEUP(ROW)	/* sched_waking, sched_wakeup and sched_wakeup_new */	\
	ROW("comm", "pid", "prio", "target_cpu")

#define FXT_FIELDS_MIGRATE(ROW)	/* sched_migrate_task */	\
	ROW("comm", "pid", "prio", "orig_cpu", "dest_cpu")

#define FXT_FIELDS_NEWTASK(ROW)	/* task_newtask */	\
	ROW("pid", "comm", "clone_flags")

#endif
