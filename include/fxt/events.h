/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The further string table of a recording with events beside scheduling: written only where there are any.
 *
 * Behind the strings of every recording (FXT_LINUX_STRINGS) come those below, at
 * FXT_STR_SYSCALLS the names of system calls, and of what 32-bit programs call, and
 * at FXT_STR_TRACEPOINTS those of tracepoints.  From FXT_STR_STACKS on are stacks, which
 * the reader names, and writes, as they come.
 */
#ifndef FXT_EVENTS_H
#define FXT_EVENTS_H

#include "../uapi/fxtrec.h"
#include "linux.h"

/*
 * A CPU's own tracks, each a thread of the recorder's process, behind those of
 * losses in the thread table.  What belongs to a CPU as a whole is on the first.
 */
enum fxt_track {
	FXT_TRACK_IRQ,
	FXT_TRACK_SOFTIRQ,
	FXT_TRACKS,
};

#define FXT_THREAD_TRACK(track)	(FXT_THREAD_LOSSES + FXTREC_RINGS + (track))
#define FXT_KOID_TRACK(cpu, track) (0x41000000ULL | (__u64)(track) << 16 | (cpu))

/* The softirqs stand in the order of the kernel's own index. */
#define FXT_EVENT_STRINGS(X)				\
	X(IRQ,			"irq")			\
	X(RET,			"ret")			\
	X(SOFTIRQ,		"HI")			\
	X(SOFTIRQ_TIMER,	"TIMER")		\
	X(SOFTIRQ_NET_TX,	"NET_TX")		\
	X(SOFTIRQ_NET_RX,	"NET_RX")		\
	X(SOFTIRQ_BLOCK,	"BLOCK")		\
	X(SOFTIRQ_IRQ_POLL,	"IRQ_POLL")		\
	X(SOFTIRQ_TASKLET,	"TASKLET")		\
	X(SOFTIRQ_SCHED,	"SCHED")		\
	X(SOFTIRQ_HRTIMER,	"HRTIMER")		\
	X(SOFTIRQ_RCU,		"RCU")			\
	X(SOFTIRQ_UNKNOWN,	"unknown softirq")	\
	X(POWER,		"power")		\
	X(CPU_IDLE,		"cpu_idle")		\
	X(CPU_FREQUENCY,	"cpu_frequency")	\
	X(SYSCALL,		"syscalls")		\
	X(SYSCALL_COMPAT,	"syscalls of 32 bits")	\
	X(SYSCALL_UNKNOWN,	"unknown system call")	\
	X(SCHED,		"sched")		\
	X(BLOCKED,		"blocked")		\
	X(FUNCTION,		"function")		\
	X(IOWAIT,		"iowait")		\
	X(STACK,		"stack")

#define FXT_STR_ENUM(name, text) FXT_STR_##name,
enum fxt_event_string {
	FXT_STR_BEFORE_EVENTS = FXT_STR_END - 1,
	FXT_EVENT_STRINGS(FXT_STR_ENUM)
	FXT_STR_EVENTS_END,
};
#undef FXT_STR_ENUM

/* So many numbers of system calls have a name of their own, of either kind. */
#define FXT_SYSCALLS_MAX	512u
#define FXT_STR_SYSCALLS	0x400u
#define FXT_STR_SYSCALLS_COMPAT	(FXT_STR_SYSCALLS + FXT_SYSCALLS_MAX)

/* The words of the tracepoints that are recorded: subsystems, names, fields. */
#define FXT_STR_TRACEPOINTS	(FXT_STR_SYSCALLS_COMPAT + FXT_SYSCALLS_MAX)

/* Stacks and functions; an index may come to mean another. */
#define FXT_STR_STACKS		0x4000u
#define FXT_STACKS_MAX		(FXT_STRING_INDEX_MAX + 1 - FXT_STR_STACKS)

_Static_assert(FXT_STR_EVENTS_END <= FXT_STR_SYSCALLS, "string tables");

#endif
