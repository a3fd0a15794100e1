// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Finds kinds of records by their header, and names them. */
#include "codec/kind.h"

/* Kinds by type, and by the subtypes of some types; 0: no kind. */
static const __u8 types[16] = {
	[FXT_RECORD_INITIALIZATION] = FXT_KIND_INITIALIZATION,
	[FXT_RECORD_STRING] = FXT_KIND_STRING,
	[FXT_RECORD_THREAD] = FXT_KIND_THREAD,
	[FXT_RECORD_BLOB] = FXT_KIND_BLOB,
	[FXT_RECORD_USERSPACE_OBJECT] = FXT_KIND_USERSPACE_OBJECT,
	[FXT_RECORD_KERNEL_OBJECT] = FXT_KIND_KERNEL_OBJECT,
	[FXT_RECORD_LOG] = FXT_KIND_LOG,
};
static const __u8 metadata[16] = {
	[FXT_METADATA_PROVIDER_INFO] = FXT_KIND_PROVIDER_INFO,
	[FXT_METADATA_PROVIDER_SECTION] = FXT_KIND_PROVIDER_SECTION,
	[FXT_METADATA_PROVIDER_EVENT] = FXT_KIND_PROVIDER_EVENT,
	[FXT_METADATA_TRACE_INFO] = FXT_KIND_MAGIC,
};
static const __u8 scheduling[16] = {
	[FXT_SCHEDULING_LEGACY_SWITCH] = FXT_KIND_LEGACY_SWITCH,
	[FXT_SCHEDULING_CONTEXT_SWITCH] = FXT_KIND_CONTEXT_SWITCH,
	[FXT_SCHEDULING_WAKEUP] = FXT_KIND_WAKEUP,
};
static const __u8 profiler[16] = {
	[FXT_PROFILER_MODULE] = FXT_KIND_MODULE,
	[FXT_PROFILER_MMAP] = FXT_KIND_MMAP,
	[FXT_PROFILER_BACKTRACE] = FXT_KIND_BACKTRACE,
};

enum fxt_kind fxt_kind_of(__u64 header)
{
	unsigned int type = fxt_field(header, 0, 3), subtype = fxt_field(header, 16, 19);
	enum fxt_kind kind = types[type];

	if (type == FXT_RECORD_METADATA)
		kind = metadata[subtype];
	else if (type == FXT_RECORD_EVENT && subtype <= FXT_EVENT_FLOW_END)
		kind = FXT_KIND_EVENT;
	else if (type == FXT_RECORD_SCHEDULING)
		kind = scheduling[fxt_field(header, 60, 63)];
	else if (type == FXT_RECORD_PROFILER)
		kind = profiler[subtype];
	else if (type == FXT_RECORD_LARGE && fxt_field(header, 36, 39) == FXT_LARGE_BLOB &&
		 fxt_field(header, 40, 43) <= FXT_LARGE_BLOB_BARE)
		kind = FXT_KIND_LARGE_BLOB;
	/* The only defined trace information is the magic number. */
	if (!kind || (kind == FXT_KIND_MAGIC && fxt_field(header, 20, 23)))
		return FXT_KIND_UNKNOWN;
	return kind;
}

#define TEXT(name, text, reserved)	text,
static const char *const kinds[FXT_KINDS] = { FXT_KIND_TABLE(TEXT) };

#define RESERVED(name, text, reserved)	reserved,
static const __u64 reserved_bits[FXT_KINDS] = { FXT_KIND_TABLE(RESERVED) };

static const char *const events[] = {
	[FXT_EVENT_INSTANT] = "instant",
	[FXT_EVENT_COUNTER] = "counter",
	[FXT_EVENT_DURATION_BEGIN] = "duration-begin",
	[FXT_EVENT_DURATION_END] = "duration-end",
	[FXT_EVENT_DURATION_COMPLETE] = "duration-complete",
	[FXT_EVENT_ASYNC_BEGIN] = "async-begin",
	[FXT_EVENT_ASYNC_INSTANT] = "async-instant",
	[FXT_EVENT_ASYNC_END] = "async-end",
	[FXT_EVENT_FLOW_BEGIN] = "flow-begin",
	[FXT_EVENT_FLOW_STEP] = "flow-step",
	[FXT_EVENT_FLOW_END] = "flow-end",
};

static const char *const args[] = {
	[FXT_ARG_NULL] = "null",
	[FXT_ARG_INT32] = "int32",
	[FXT_ARG_UINT32] = "uint32",
	[FXT_ARG_INT64] = "int64",
	[FXT_ARG_UINT64] = "uint64",
	[FXT_ARG_DOUBLE] = "double",
	[FXT_ARG_STRING] = "string",
	[FXT_ARG_POINTER] = "pointer",
	[FXT_ARG_KOID] = "koid",
	[FXT_ARG_BOOL] = "bool",
	[FXT_ARG_BLOB] = "blob",
};

static const char *const states[] = {
	[FXT_STATE_NEW] = "new",
	[FXT_STATE_RUNNING] = "running",
	[FXT_STATE_SUSPENDED] = "suspended",
	[FXT_STATE_BLOCKED] = "blocked",
	[FXT_STATE_DYING] = "dying",
	[FXT_STATE_DEAD] = "dead",
};

#define NAME(names, i)	((i) < sizeof(names) / sizeof((names)[0]) ? (names)[i] : NULL)

const char *fxt_kind_name(enum fxt_kind kind)
{
	return kinds[kind];
}

__u64 fxt_kind_reserved(enum fxt_kind kind)
{
	return reserved_bits[kind];
}

bool fxt_kind_plausible(const struct fxt_record *first)
{
	if (first->kind == FXT_KIND_MALFORMED || first->kind == FXT_KIND_UNKNOWN)
		return false;
	if (first->kind == FXT_KIND_MAGIC)
		return first->header == FXT_MAGIC;
	return first->used == 8 * first->frame.words && !(first->header & reserved_bits[first->kind]);
}

const char *fxt_event_name(unsigned int type)
{
	return NAME(events, type);
}

const char *fxt_arg_type_name(unsigned int type)
{
	return NAME(args, type);
}

const char *fxt_state_name(unsigned int state)
{
	return NAME(states, state);
}
