/* SPDX-License-Identifier: GPL-2.0-only */
/* Constants of Perfetto's format, for its reader and its writer. */
#ifndef FXT_CONVERT_PERFETTO_PERFETTO_H
#define FXT_CONVERT_PERFETTO_PERFETTO_H

#include "formats/perfetto/format.h"
#include "model/json_fields.h"
#include "perfetto.pb-c.h"

/* Tags of a bundle's events, and of the events' common fields. */
#define FXT_PF_EVENT_TAG	0x12u
#define FXT_PF_EVENT_TIME	0x08u
#define FXT_PF_EVENT_PID	0x10u
#define FXT_PF_EVENT_FLAGS	0x28u

/* Field of an ftrace event, by the event's kind. */
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

/* Sequence of fxtrec's packets; differs from Perfetto's sequences, as packets of both may be mixed. */
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

/* Separator of functions in the text of a stack; longest text of a callstack. */
#define FXT_PF_BETWEEN		" < "
#define FXT_PF_STACK_BYTES	2048u

/* TrackEvent.type */
enum fxt_pf_type {
	FXT_PF_BEGIN = 1,
	FXT_PF_END = 2,
	FXT_PF_INSTANT = 3,
	FXT_PF_COUNTER = 4,
};

/* Added to the number of an operation's flow: Perfetto counts the flows of the older form from 0. */
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

/* Flags of a kernel event, as in the kernel's trace_flag_type. */
#define FXT_PF_FLAG_HARDIRQ	0x08u
#define FXT_PF_FLAG_SOFTIRQ	0x10u
#define FXT_PF_FLAG_NMI		0x40u

/*
 * A kernel event's flags have 8 bits, and Perfetto reads 16.  Bits above are fxtrec's.  This flag: the thread was woken
 * before it had left its CPU.
 */
#define FXT_PF_FLAG_ON_CPU	0x10000u
/* Flags of a switch: the thread that a filter doesn't choose, enum fxt_unchosen. */
#define FXT_PF_FLAG_UNCHOSEN(which)	((__u32)(which) << 18)
#define FXT_PF_UNCHOSEN(flags)		((flags) >> 18 & 3)
/* Flag of a waking: the waker isn't known; Perfetto rejects an event without a thread. */
#define FXT_PF_FLAG_NO_WAKER	0x20000u
/* Flag of an event that is repeated in a form that Perfetto uses: fxtrec's reader skips it. */
#define FXT_PF_FLAG_REPEATED	0x100000u

/* Flag of a switch: the loss before it, in its bundle, covers only switches that no recorder reports. */
#define FXT_PF_FLAG_BROKEN	0x200000u
/* Flag of a waking: a timer's callback woke the thread, in that softirq or interrupt. */
#define FXT_PF_FLAG_TIMER	0x400000u

/* Own field of sched_blocked_reason: the reason of the switch before.  Perfetto skips fields from 32. */
#define FXT_PF_REASON_FIELD	1000u

/* Returns the name of a softirq; NULL: the number is unknown. */
const char *fxt_pf_softirq(__u32 number);

/* clone_flags of a new task: a thread, not a process. */
#define FXT_PF_CLONE_THREAD	0x00010000u

/* Prefix of the service's version in a SystemInfo that is followed by the event "host". */
#define FXT_PF_SERVICE		"fxtrec "
/* Arguments of "host" that are texts of SystemInfo: name, system, release, version, processor (read/host.c). */
#define FXT_PF_HOST_TEXTS	5u
extern const char *const fxt_pf_host_args[FXT_PF_HOST_TEXTS];
#define FXT_PF_HOST_MEMORY	"memory"

/* Release of an unknown kernel: without one, Perfetto reads the states' numbers as those of 4.4. */
#define FXT_PF_UNKNOWN_RELEASE	"4.15.0-or-later"
/* Prefix of a track's description, before the id of fxtrec's events. */
#define FXT_PF_ASYNC_PREFIX	"async "
/* Prefix for a track that its events' first argument names; else the first event names it. */
#define FXT_PF_NAMED_PREFIX	"named "
/* Argument of a counter that has one value and no id. */
#define FXT_PF_VALUE_ARG	"value"
/* Name and description of a thread's track for slices that cross others. */
#define FXT_PF_LANE		"overlapping slices"
/* Prefix of the description of a JSON counter's track, before its id and the argument's name. */
#define FXT_PF_COUNTER_PREFIX	"counter "
/* Argument of a thread's name: the thread that created it, where no switch shows that thread. */
#define FXT_PF_CREATOR_ARG	"creator"
/* Argument of an event on its process's track: the event's thread. */
#define FXT_PF_THREAD_ARG	"thread"

/*
 * Fields of JSON's events (model/json_fields.h): a slice's flow; that a flow's end binds to the next slice; an id with
 * more parts than a number; its digits; its scope; whether it is local or global; a duration; the phase; the scope of
 * an instant.
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

/* Phases of JSON that are neither slices nor instants: samples, objects, memory dumps, contexts and others. */
#define FXT_PF_JSON_NO_SLICES	"PNODVvc()="

#endif
