/* SPDX-License-Identifier: GPL-2.0-only */
/* Constants of Perfetto's format, for its reader and its writer. */
#ifndef FXT_CONVERT_PERFETTO_PERFETTO_H
#define FXT_CONVERT_PERFETTO_PERFETTO_H

#include "model/json_fields.h"
#include "perfetto.pb-c.h"

/* The tag of a packet: a trace is a message with packets as its only fields. */
#define FXT_PF_PACKET_TAG	0x0au

/* The tags of a bundle's events, and of what they have in common. */
#define FXT_PF_EVENT_TAG	0x12u
#define FXT_PF_EVENT_TIME	0x08u
#define FXT_PF_EVENT_PID	0x10u
#define FXT_PF_EVENT_FLAGS	0x28u

/* An ftrace event's field, by its kind. */
enum fxt_pf_event_field {
	FXT_PF_PRINT = 3,
	FXT_PF_SCHED_SWITCH = 4,
	FXT_PF_CPU_FREQUENCY = 11,
	FXT_PF_CPU_IDLE = 13,
	FXT_PF_SCHED_BLOCKED_REASON = 18,
	FXT_PF_SCHED_WAKING = 20,
	FXT_PF_SOFTIRQ_ENTRY = 24,
	FXT_PF_SOFTIRQ_EXIT = 25,
	FXT_PF_IRQ_HANDLER_ENTRY = 36,
	FXT_PF_IRQ_HANDLER_EXIT = 37,
	FXT_PF_SCHED_WAKEUP_NEW = 114,
	FXT_PF_TASK_NEWTASK = 235,
	FXT_PF_GENERIC = 327,
	FXT_PF_SYS_ENTER = 329,
	FXT_PF_SYS_EXIT = 330,
	FXT_PF_SCHED_MIGRATE_TASK = 491,
};

/* Perfetto's importer rejects a trace with more CPUs. */
#define FXT_PF_CPUS		1024u

/* TracePacket.sequence_flags */
#define FXT_PF_STATE_CLEARED	1u
#define FXT_PF_STATE_NEEDED	2u

/* Other than those of Perfetto, as its packets may be between fxtrec's. */
#define FXT_PF_SEQUENCE		0x6678u

enum fxt_pf_clock {
	FXT_PF_REALTIME = 1,
	FXT_PF_MONOTONIC = 3,
	FXT_PF_BOOTTIME = 6,
};

/* Kinds of interned texts, and their fields of InternedData. */
#define FXT_PF_INTERNED_KINDS(ROW)				\
	ROW(CATEGORY, event_categories)				\
	ROW(NAME, event_names)					\
	ROW(ARG_NAME, debug_annotation_names)			\
	ROW(ARG_STRING, debug_annotation_string_values)		\
	ROW(LOG_BODY, log_message_body)				\
	ROW(SYMBOL, kernel_symbols)

#define FXT_PF_INTERNED_ENUM(kind, field)	FXT_PF_##kind,
enum fxt_pf_interned {
	FXT_PF_INTERNED_KINDS(FXT_PF_INTERNED_ENUM)
	FXT_PF_INTERNED,
};

/* Between the functions of a stack in its event's text; the text of a callstack has so many bytes at most. */
#define FXT_PF_BETWEEN		" < "
#define FXT_PF_STACK_BYTES	2048u

/* TrackEvent.type */
enum fxt_pf_type {
	FXT_PF_BEGIN = 1,
	FXT_PF_END = 2,
	FXT_PF_INSTANT = 3,
	FXT_PF_COUNTER = 4,
};

/* Added to the number of an operation's flow: Perfetto counts those of the older form from 0. */
#define FXT_PF_FLOW_BASE	(0x6678ull << 48)

/* TrackEvent.LegacyEvent.flow_direction */
enum fxt_pf_flow {
	FXT_PF_FLOW_IN = 1,
	FXT_PF_FLOW_OUT = 2,
	FXT_PF_FLOW_INOUT = 3,
};

/* TrackEvent.LegacyEvent.instant_event_scope */
enum fxt_pf_scope {
	FXT_PF_SCOPE_GLOBAL = 1,
	FXT_PF_SCOPE_PROCESS = 2,
};

/* Flags of a kernel event, as the kernel's own trace_flag_type. */
#define FXT_PF_FLAG_HARDIRQ	0x08u
#define FXT_PF_FLAG_SOFTIRQ	0x10u
#define FXT_PF_FLAG_NMI		0x40u

/*
 * Flags of a kernel event have 8 bits, and Perfetto reads 16.  Bits above are fxtrec's:
 * the thread was woken before it had left its CPU.
 */
#define FXT_PF_FLAG_ON_CPU	0x10000u
/* Of a switch, which thread a filter doesn't choose: enum fxt_unchosen. */
#define FXT_PF_FLAG_UNCHOSEN(which)	((__u32)(which) << 18)
#define FXT_PF_UNCHOSEN(flags)		((flags) >> 18 & 3)
/* And that the waker isn't known: Perfetto refuses an event without a thread. */
#define FXT_PF_FLAG_NO_WAKER	0x20000u
/* And that it is for Perfetto alone, which makes no state of the event that says the same to others. */
#define FXT_PF_FLAG_REPEATED	0x100000u

/* Flag of a switch: the loss that its bundle reports before it is of switches that no recorder reports. */
#define FXT_PF_FLAG_BROKEN	0x200000u
/* And that a timer's callback woke the thread, in that softirq or interrupt. */
#define FXT_PF_FLAG_TIMER	0x400000u

/* The name of a softirq; NULL: there is none of that number. */
const char *fxt_pf_softirq(__u32 number);

/* clone_flags of a new task: a thread, not a process. */
#define FXT_PF_CLONE_THREAD	0x00010000u

/* What the service's version begins with in a SystemInfo beside which the event "host" is written. */
#define FXT_PF_SERVICE		"fxtrec "
/* read/host.c: arguments of "host" that are texts of SystemInfo: name, system, release, version, processor. */
#define FXT_PF_HOST_TEXTS	5u
extern const char *const fxt_pf_host_args[FXT_PF_HOST_TEXTS];
#define FXT_PF_HOST_MEMORY	"memory"

/* The kernel's, where it isn't known: without one, Perfetto takes the states' numbers for those of 4.4. */
#define FXT_PF_UNKNOWN_RELEASE	"4.15.0-or-later"
/* The prefix of a track's description before the id of fxtrec's events. */
#define FXT_PF_ASYNC_PREFIX	"async "
/* Likewise, of a track that their first argument names; else the first event does. */
#define FXT_PF_NAMED_PREFIX	"named "
/* The argument of a counter that has one value and no id. */
#define FXT_PF_VALUE_ARG	"value"
/* The name and description of a thread's track for slices that cross others. */
#define FXT_PF_LANE		"overlapping slices"
/* The prefix of the description of a JSON counter's track, before its id and the argument's name. */
#define FXT_PF_COUNTER_PREFIX	"counter "
/* The argument of a thread's name with the thread that made it, where no switch says what ran there. */
#define FXT_PF_CREATOR_ARG	"creator"
/* The argument with the thread of an event on its process's track. */
#define FXT_PF_THREAD_ARG	"thread"

/*
 * Fields of JSON's events (model/json_fields.h): a slice's flow, that an end binds to the next slice, an id that is
 * more than a number, or of more, its scope, whether it is local or global, a duration, the phase and the scope of an instant.
 */
#define FXT_PF_JSON_BIND	FXT_JSON_FIELD "bind_id"
#define FXT_PF_JSON_BP		FXT_JSON_FIELD "bp"
#define FXT_PF_JSON_ID		FXT_JSON_FIELD "id"
#define FXT_PF_JSON_ID_DIGITS	FXT_PF_JSON_ID FXT_JSON_AS_TEXT
#define FXT_PF_JSON_ID_SCOPE	FXT_JSON_FIELD "scope"
#define FXT_PF_JSON_ID2		FXT_JSON_FIELD "id2"
#define FXT_PF_JSON_DURATION	FXT_JSON_FIELD "dur"
#define FXT_PF_JSON_PHASE	FXT_JSON_FIELD "ph"
#define FXT_PF_JSON_SCOPE	FXT_JSON_FIELD "s"

/* Phases of JSON that are neither slices nor instants: samples, objects, memory dumps, contexts and such. */
#define FXT_PF_JSON_NO_SLICES	"PNODVvc()="

#endif
