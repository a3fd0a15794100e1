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
 * The states of a task in the order of the kernel's own index: name, letter, FXT's state,
 * whether FXT's state IMPLIES the letter or a record NEEDS it, the bit in prev_state.
 */
#define FXT_LINUX_STATES(ROW, arg)							\
	ROW(arg, R, "R", RUNNING, IMPLIES, 0)		/* runnable */			\
	FXT_LINUX_STATES_ASLEEP(ROW, arg)

#define FXT_LINUX_STATES_ASLEEP(ROW, arg)						\
	ROW(arg, S, "S", BLOCKED, IMPLIES, 0x01)	/* interruptible sleep */	\
	ROW(arg, D, "D", BLOCKED, NEEDS, 0x02)		/* uninterruptible sleep */	\
	ROW(arg, T, "T", SUSPENDED, IMPLIES, 0x04)	/* stopped */			\
	ROW(arg, TRACED, "t", SUSPENDED, NEEDS, 0x08)	/* stopped by a tracer */	\
	ROW(arg, X, "X", DEAD, IMPLIES, 0x10)		/* dead */			\
	ROW(arg, Z, "Z", DYING, IMPLIES, 0x20)		/* zombie */			\
	ROW(arg, P, "P", BLOCKED, NEEDS, 0x40)		/* parked */			\
	ROW(arg, I, "I", BLOCKED, NEEDS, 0x80)		/* idle kernel thread */

/* The kinds of objects that a thread waits for: names of arguments of the switch. */
#define FXT_OBJECT_KINDS(ROW, arg)			\
	ROW(arg, FILE,		"file")			\
	ROW(arg, DIRECTORY,	"directory")		\
	ROW(arg, BLOCK,		"block")		\
	ROW(arg, CHARACTER,	"character")		\
	ROW(arg, PIPE,		"pipe")			\
	ROW(arg, UNIX,		"unix")			\
	ROW(arg, INET,		"inet")			\
	ROW(arg, INET6,		"inet6")		\
	ROW(arg, NETLINK,	"netlink")		\
	ROW(arg, SOCKET,	"socket")		\
	ROW(arg, EVENTFD,	"eventfd")		\
	ROW(arg, TIMERFD,	"timerfd")		\
	ROW(arg, EPOLL,		"epoll")		\
	ROW(arg, INOTIFY,	"inotify")		\
	ROW(arg, SIGNALFD,	"signalfd")		\
	ROW(arg, PIDFD,		"pidfd")		\
	ROW(arg, IO_URING,	"io_uring")		\
	ROW(arg, ANONYMOUS,	"anonymous")		\
	ROW(arg, FUTEX,		"futex")		\
	ROW(arg, CHILD,		"child")		\
	ROW(arg, MUTEX,		"mutex")		\
	ROW(arg, SEMAPHORE,	"semaphore")		\
	ROW(arg, RWSEM,		"rwsem")
#define FXT_OBJECT_STRING(X, name, text)	X(OBJECT_##name, text)

/*
 * The string table of every provider in a file: the index is the order, from 1.  The letters
 * follow the kernel's index; "R+", for a preempted thread, is in the position of R, which needs no
 * string.  The contexts follow their argument's name in the order of enum fxt_waker_context, up to
 * NMI; those of timers come later.  New strings come last, since readers know some by index.
 */
#define FXT_LINUX_STATE_STRING(X, name, letter, fxt, letter_is, bit)	X(STATE_##name, letter)
#define FXT_LINUX_STRINGS(X)				\
	X(OUTGOING_WEIGHT,	"outgoing_weight")	\
	X(INCOMING_WEIGHT,	"incoming_weight")	\
	X(STATE,		"state")		\
	X(STATE_PREEMPTED,	"R+")			\
	FXT_LINUX_STATES_ASLEEP(FXT_LINUX_STATE_STRING, X)	\
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
	X(CAUSE_SURPLUS,	"renamed again")	\
	X(CAUSE_NO_RING,	"no ring")		\
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
	X(BOUND_NS,		"bound_ns")		\
	X(CONTEXT,		"context")		\
	X(CONTEXT_SOFTIRQ,	"softirq")		\
	X(CONTEXT_HARDIRQ,	"hardirq")		\
	X(CONTEXT_NMI,		"nmi")			\
	X(SCHED,		"sched")		\
	X(MIGRATE,		"sched_migrate_task")	\
	X(THREAD,		"thread")		\
	X(PRIO,			"prio")			\
	X(ORIG_CPU,		"orig_cpu")		\
	X(DEST_CPU,		"dest_cpu")		\
	X(UNCHOSEN,		"unchosen")		\
	X(OUTGOING,		"outgoing")		\
	X(INCOMING,		"incoming")		\
	X(CGROUP_ID,		"cgroup_id")		\
	X(THROTTLE_GROUP,	"throttle_group")	\
	X(UNTHROTTLE_GROUP,	"unthrottle_group")	\
	X(THROTTLE_THREAD,	"throttle_thread")	\
	X(UNTHROTTLE_THREAD,	"unthrottle_thread")	\
	X(BOTH,			"both")			\
	X(RUNNING,		"running")		\
	X(CONTEXT_SOFTIRQ_TIMER, "softirq timer")	\
	X(CONTEXT_HARDIRQ_TIMER, "hardirq timer")	\
	X(LISTED,		"listed")		\
	X(THREAD_STATE,		"thread_state")		\
	X(STATE_RUNNABLE,	"R")			\
	X(REASON,		"reason")		\
	FXT_OBJECT_KINDS(FXT_OBJECT_STRING, X)		\
	X(DEVICE,		"device")		\
	X(HOLDER,		"holder")		\
	X(OWNER,		"owner")		\
	X(INODE,		"inode")		\
	X(OFFSET,		"offset")

#define FXT_STR_ENUM(name, text) FXT_STR_##name,
enum fxt_linux_string {
	FXT_STR_EMPTY = 0,
	FXT_LINUX_STRINGS(FXT_STR_ENUM)
	FXT_STR_END,
};
#undef FXT_STR_ENUM

/*
 * Provider ids.  Every CPU is a provider: its records never need another CPU's tables, and a
 * provider section names the CPU of its records.
 */
#define FXT_PROVIDER_TOOL	1u
#define FXT_PROVIDER_CPU(cpu)	(0x100u + (cpu))

/*
 * Indices of the thread table of a CPU's provider.  SUBJECT is registered again before each
 * group of records that uses it; LOSSES + ring is that ring's track of losses.
 */
#define FXT_THREAD_SUBJECT	1u
#define FXT_THREAD_LOSSES	2u

/* Koid of a ring's track of losses; above every Linux thread id (2^22). */
#define FXT_KOID_LOSSES(cpu, ring)	(0x40000000ULL | (__u64)(ring) << 16 | (cpu))

/* Koid of the tool's process and thread, if the tool doesn't know the kernel's ids of them. */
#define FXT_KOID_TOOL			0x42000000ULL

/* Contexts of a wakeup: the innermost level of the waking CPU; for a timer's callback, that of the timer. */
enum fxt_waker_context {
	FXT_CONTEXT_TASK,
	FXT_CONTEXT_SOFTIRQ,
	FXT_CONTEXT_HARDIRQ,
	FXT_CONTEXT_NMI,
	FXT_CONTEXT_SOFTIRQ_TIMER,
	FXT_CONTEXT_HARDIRQ_TIMER,
	FXT_CONTEXTS,
};

FXT_INLINE int fxt_context_is_timer(enum fxt_waker_context context)
{
	return context >= FXT_CONTEXT_SOFTIRQ_TIMER;
}

/* Returns the softirq or interrupt that a timer's callback runs in; any other context itself. */
FXT_INLINE enum fxt_waker_context fxt_context_level(enum fxt_waker_context context)
{
	return context == FXT_CONTEXT_SOFTIRQ_TIMER ? FXT_CONTEXT_SOFTIRQ :
	       context == FXT_CONTEXT_HARDIRQ_TIMER ? FXT_CONTEXT_HARDIRQ : context;
}

/* Returns the context of a timer's callback that runs in a softirq or an interrupt; any other context itself. */
FXT_INLINE enum fxt_waker_context fxt_context_of_timer(enum fxt_waker_context level)
{
	return level == FXT_CONTEXT_SOFTIRQ ? FXT_CONTEXT_SOFTIRQ_TIMER :
	       level == FXT_CONTEXT_HARDIRQ ? FXT_CONTEXT_HARDIRQ_TIMER : level;
}

/* The threads of a switch that a filter of threads doesn't choose. */
enum fxt_unchosen {
	FXT_UNCHOSEN_NONE,
	FXT_UNCHOSEN_OUTGOING,
	FXT_UNCHOSEN_INCOMING,
	FXT_UNCHOSEN_BOTH,
};

/* Returns the string table index of a context other than the task's. */
FXT_INLINE __u64 fxt_linux_context_string(enum fxt_waker_context context)
{
	return context == FXT_CONTEXT_SOFTIRQ_TIMER ? FXT_STR_CONTEXT_SOFTIRQ_TIMER :
	       context == FXT_CONTEXT_HARDIRQ_TIMER ? FXT_STR_CONTEXT_HARDIRQ_TIMER : FXT_STR_CONTEXT + context;
}

/* Weight of an idle thread: consumers draw no slice for it. */
#define FXT_WEIGHT_IDLE		(-2147483647 - 1)

/* Bytes of a thread's name with its terminator (TASK_COMM_LEN). */
#define FXT_COMM_BYTES		16

/* Longest text of a message of the kernel's log, or of a mark; longer texts are cut. */
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

/* Index of a task's state, as in the kernel's own sched_switch. */
#define FXT_LINUX_STATE_ENUM(arg, name, letter, fxt, letter_is, bit)	FXT_LINUX_##name,
enum fxt_linux_state { FXT_LINUX_STATES(FXT_LINUX_STATE_ENUM, ) };

/* Returns the state of a task that was not preempted, as __trace_sched_switch_state() does: that of the highest bit. */
FXT_INLINE enum fxt_linux_state fxt_linux_state(__u32 state, __u32 exit_state)
{
	__u32 report = (state | exit_state) & FXT_TASK_REPORT;

	if (state & (FXT_TASK_RTLOCK_WAIT | FXT_TASK_FROZEN))
		return FXT_LINUX_D;
	if ((state & FXT_TASK_IDLE) == FXT_TASK_IDLE)
		return FXT_LINUX_I;
#define FXT_LINUX_STATE_OF(arg, name, letter, fxt, letter_is, bit)	\
	if (report <= (bit ? 2 * bit - 1 : 0))				\
		return FXT_LINUX_##name;
	FXT_LINUX_STATES(FXT_LINUX_STATE_OF, )
#undef FXT_LINUX_STATE_OF
	return FXT_LINUX_I;
}

/*
 * The table's columns as constants, to be shifted: a nibble with FXT's state for each Linux state, a bit for
 * each state with a record that needs the letter, and a nibble with the Linux state that each FXT state implies.
 */
#define FXT_LINUX_IMPLIES	0ULL
#define FXT_LINUX_NEEDS		1ULL
#define FXT_LINUX_STATE_FXT(arg, name, letter, fxt, letter_is, bit)	\
	| (__u64)FXT_STATE_##fxt << 4 * FXT_LINUX_##name
#define FXT_LINUX_STATE_NEEDS(arg, name, letter, fxt, letter_is, bit)	\
	| FXT_LINUX_##letter_is << FXT_LINUX_##name
#define FXT_LINUX_STATE_IMPLIED(arg, name, letter, fxt, letter_is, bit)	\
	| (__u64)(FXT_LINUX_##letter_is ? 0 : FXT_LINUX_##name) << 4 * FXT_STATE_##fxt

FXT_INLINE __u64 fxt_linux_state_fxt(enum fxt_linux_state state)
{
	return (0 FXT_LINUX_STATES(FXT_LINUX_STATE_FXT, )) >> (4 * state) & 0xf;
}

/* Returns whether FXT's four bits don't imply the Linux state: D, t, P and I. */
FXT_INLINE int fxt_linux_state_inexact(enum fxt_linux_state state)
{
	return (0 FXT_LINUX_STATES(FXT_LINUX_STATE_NEEDS, )) >> state & 1;
}

/* Returns the Linux state that FXT's four bits imply; R if they imply no state. */
FXT_INLINE enum fxt_linux_state fxt_linux_state_implied(__u64 fxt)
{
	return (enum fxt_linux_state)((0 FXT_LINUX_STATES(FXT_LINUX_STATE_IMPLIED, )) >> (4 * fxt) & 0xf);
}

/* Returns the string table index of a state's letter; for R, of "R+". */
FXT_INLINE __u64 fxt_linux_state_string(enum fxt_linux_state state)
{
	return FXT_STR_STATE_PREEMPTED + state;
}

/* Priority at nice 0, and of a wakeup record without a weight. */
#define FXT_PRIO_DEFAULT	120
/*
 * Lowest priority number of the fair class.  Lower numbers are real time, where a program's
 * priority counts down to 1; numbers below 0 are deadline.
 */
#define FXT_PRIO_FAIR		100

#endif
