/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Linux in terms of FXT: string and thread tables, provider ids, task states.
 *
 * Documentation/fxt-on-linux.rst gives the reasons.
 */
#ifndef FXT_LINUX_H
#define FXT_LINUX_H

#include "wire.h"

/*
 * The string table of every provider in a file: the index is the order, from 1.  The
 * letters of task states are in the order of the kernel's index.  State R needs no
 * letter; its place has the one of a preempted thread.
 */
#define FXT_LINUX_STRINGS(X)				\
	X(OUTGOING_WEIGHT,	"outgoing_weight")	\
	X(INCOMING_WEIGHT,	"incoming_weight")	\
	X(STATE,		"state")		\
	X(STATE_PREEMPTED,	"R+")			\
	X(STATE_S,		"S")			\
	X(STATE_D,		"D")			\
	X(STATE_T,		"T")			\
	X(STATE_TRACED,		"t")			\
	X(STATE_X,		"X")			\
	X(STATE_Z,		"Z")			\
	X(STATE_P,		"P")			\
	X(STATE_I,		"I")			\
	X(WEIGHT,		"weight")		\
	X(WAKER,		"waker")		\
	X(PRIORITY,		"priority")		\
	X(EVENT,		"event")		\
	X(WAKEUP_NEW,		"sched_wakeup_new")	\
	X(PROCESS,		"process")		\
	X(SINCE,		"since")		\
	X(FXTREC,		"fxtrec")		\
	X(LOST,			"lost")			\
	X(RECORDS,		"records")		\
	X(CAUSE,		"cause")		\
	X(CAUSE_FULL,		"ring full")		\
	X(CAUSE_NESTED,		"nested")		\
	X(KERNEL_LOG,		"kernel log")		\
	X(MARK,			"mark")			\
	X(CLOCK,		"clock")		\
	X(CLOCK_MONO,		"mono")			\
	X(CLOCK_BOOT,		"boot")			\
	X(CLOCK_TSC,		"tsc")			\
	X(REALTIME,		"realtime")		\
	X(MONOTONIC,		"monotonic")		\
	X(BOOTTIME,		"boottime")		\
	X(BACKEND,		"backend")		\
	X(BACKEND_KMOD,		"kmod")			\
	X(BACKEND_BPF,		"bpf")			\
	X(RELEASE,		"release")		\
	X(CPUS,			"cpus")			\
	X(CPU,			"cpu")			\
	X(COVERED,		"covered")		\
	X(SNAPSHOT,		"snapshot")		\
	X(TRIGGER,		"trigger")		\
	X(LATENCY,		"latency")		\
	X(DSLEEP,		"dsleep")		\
	X(NS,			"ns")			\
	X(BOUND_NS,		"bound_ns")

#define FXT_STR_ENUM(name, text) FXT_STR_##name,
enum fxt_linux_string {
	FXT_STR_EMPTY = 0,
	FXT_LINUX_STRINGS(FXT_STR_ENUM)
	FXT_STR_END,
};
#undef FXT_STR_ENUM

/*
 * Every CPU is a provider: its records never need another CPU's tables, and a
 * provider section says which CPU its records come from.
 */
#define FXT_PROVIDER_TOOL	1u
#define FXT_PROVIDER_CPU(cpu)	(0x100u + (cpu))

/*
 * The thread table of a CPU's provider.  SUBJECT is registered again before each
 * group of records that uses it; LOSSES + ring is that ring's track of losses.
 */
#define FXT_THREAD_SUBJECT	1u
#define FXT_THREAD_LOSSES	2u

/* Koid of a ring's track of losses; above every Linux thread id (2^22). */
#define FXT_KOID_LOSSES(cpu, ring)	(0x40000000ULL | (__u64)(ring) << 16 | (cpu))

/* The weight of an idle thread: consumers draw no slice for it. */
#define FXT_WEIGHT_IDLE		(-2147483647 - 1)

/* Bytes of a thread's name with its terminator (TASK_COMM_LEN). */
#define FXT_COMM_BYTES		16

/* Longest text of a message of the kernel's log or of a mark; longer ones are cut. */
#define FXT_MESSAGE_BYTES_MAX	1000u

enum fxt_linux_clock {
	FXT_CLOCK_MONO,
	FXT_CLOCK_BOOT,
	FXT_CLOCK_TSC,
};

/* Bits of task_struct's state that the kernel reports, the same from 6.1 to 7.2. */
#define FXT_TASK_INTERRUPTIBLE	0x0001u
#define FXT_TASK_UNINTERRUPTIBLE 0x0002u
#define FXT_TASK_REPORT		0x007fu
#define FXT_TASK_NOLOAD		0x0400u
#define FXT_TASK_IDLE		(FXT_TASK_UNINTERRUPTIBLE | FXT_TASK_NOLOAD)
#define FXT_TASK_RTLOCK_WAIT	0x1000u
#define FXT_TASK_FROZEN		0x8000u

/*
 * The states of a task, in the order of the kernel's sched_switch:
 * STATE(name, letter, FXT state, whether only the letter tells, bit in the trace event, meaning).
 */
#define FXT_LINUX_STATES(STATE)						\
	STATE(R,      'R', RUNNING,   0, 0x00, "running")		\
	STATE(S,      'S', BLOCKED,   0, 0x01, "interruptible sleep")	\
	STATE(D,      'D', BLOCKED,   1, 0x02, "uninterruptible sleep")	\
	STATE(T,      'T', SUSPENDED, 0, 0x04, "stopped")		\
	STATE(TRACED, 't', SUSPENDED, 1, 0x08, "traced")		\
	STATE(X,      'X', DEAD,      0, 0x10, "dead")			\
	STATE(Z,      'Z', DYING,     0, 0x20, "zombie")		\
	STATE(P,      'P', BLOCKED,   1, 0x40, "parked")		\
	STATE(I,      'I', BLOCKED,   1, 0x80, "idle")

#define FXT_LINUX_ENUM(name, ...)	FXT_LINUX_##name,
enum fxt_linux_state {
	FXT_LINUX_STATES(FXT_LINUX_ENUM)
	FXT_LINUX_STATE_COUNT,
};

/* __trace_sched_switch_state() of a task that was not preempted. */
FXT_INLINE enum fxt_linux_state fxt_linux_state(__u32 state, __u32 exit_state)
{
	__u32 report = (state | exit_state) & FXT_TASK_REPORT;

	if (state & (FXT_TASK_RTLOCK_WAIT | FXT_TASK_FROZEN))
		return FXT_LINUX_D;
	if ((state & FXT_TASK_IDLE) == FXT_TASK_IDLE)
		return FXT_LINUX_I;
	if (report & 0x40)
		return FXT_LINUX_P;
	if (report & 0x20)
		return FXT_LINUX_Z;
	if (report & 0x10)
		return FXT_LINUX_X;
	if (report & 0x08)
		return FXT_LINUX_TRACED;
	if (report & 0x04)
		return FXT_LINUX_T;
	if (report & 0x02)
		return FXT_LINUX_D;
	return (enum fxt_linux_state)report;
}

/* FXT's state of each Linux state, four bits each. */
#define FXT_LINUX_NIBBLE(name, letter, state, ...) \
	| (__u64)FXT_STATE_##state << 4 * FXT_LINUX_##name
#define FXT_LINUX_STATE_NIBBLES	(0 FXT_LINUX_STATES(FXT_LINUX_NIBBLE))

FXT_INLINE __u64 fxt_linux_state_fxt(enum fxt_linux_state state)
{
	return FXT_LINUX_STATE_NIBBLES >> (4 * state) & 0xf;
}

/* Whether the FXT state is ambiguous and the letter is needed: D, t, P and I. */
#define FXT_LINUX_INEXACT(name, letter, state, inexact, ...) | (inexact) << FXT_LINUX_##name
FXT_INLINE int fxt_linux_state_inexact(enum fxt_linux_state state)
{
	return (0 FXT_LINUX_STATES(FXT_LINUX_INEXACT)) >> state & 1;
}

/* String table index of a state's letter; of R's, "R+". */
FXT_INLINE __u64 fxt_linux_state_string(enum fxt_linux_state state)
{
	return FXT_STR_STATE_PREEMPTED + state;
}

/* The priority at nice 0, and of a wakeup record without a weight. */
#define FXT_PRIO_DEFAULT	120

#endif
