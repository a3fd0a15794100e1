// SPDX-License-Identifier: GPL-2.0-only
/* The kinds of records: from a header's types, and their names. */
#include "codec/kind.h"

static enum fxt_kind metadata_kind(__u64 header)
{
	switch (fxt_field(header, 16, 19)) {
	case FXT_METADATA_PROVIDER_INFO:
		return FXT_KIND_PROVIDER_INFO;
	case FXT_METADATA_PROVIDER_SECTION:
		return FXT_KIND_PROVIDER_SECTION;
	case FXT_METADATA_PROVIDER_EVENT:
		return FXT_KIND_PROVIDER_EVENT;
	case FXT_METADATA_TRACE_INFO:
		return fxt_field(header, 20, 23) ? FXT_KIND_UNKNOWN : FXT_KIND_MAGIC;
	}
	return FXT_KIND_UNKNOWN;
}

static enum fxt_kind scheduling_kind(__u64 header)
{
	switch (fxt_field(header, 60, 63)) {
	case FXT_SCHEDULING_LEGACY_SWITCH:
		return FXT_KIND_LEGACY_SWITCH;
	case FXT_SCHEDULING_CONTEXT_SWITCH:
		return FXT_KIND_CONTEXT_SWITCH;
	case FXT_SCHEDULING_WAKEUP:
		return FXT_KIND_WAKEUP;
	}
	return FXT_KIND_UNKNOWN;
}

static enum fxt_kind profiler_kind(__u64 header)
{
	switch (fxt_field(header, 16, 19)) {
	case FXT_PROFILER_MODULE:
		return FXT_KIND_MODULE;
	case FXT_PROFILER_MMAP:
		return FXT_KIND_MMAP;
	case FXT_PROFILER_BACKTRACE:
		return FXT_KIND_BACKTRACE;
	}
	return FXT_KIND_UNKNOWN;
}

static enum fxt_kind large_kind(__u64 header)
{
	if (fxt_field(header, 36, 39) != FXT_LARGE_BLOB ||
	    fxt_field(header, 40, 43) > FXT_LARGE_BLOB_BARE)
		return FXT_KIND_UNKNOWN;
	return FXT_KIND_LARGE_BLOB;
}

enum fxt_kind fxt_kind_of(__u64 header)
{
	switch (fxt_field(header, 0, 3)) {
	case FXT_RECORD_METADATA:
		return metadata_kind(header);
	case FXT_RECORD_INITIALIZATION:
		return FXT_KIND_INITIALIZATION;
	case FXT_RECORD_STRING:
		return FXT_KIND_STRING;
	case FXT_RECORD_THREAD:
		return FXT_KIND_THREAD;
	case FXT_RECORD_EVENT:
		return fxt_field(header, 16, 19) > FXT_EVENT_FLOW_END ? FXT_KIND_UNKNOWN :
									FXT_KIND_EVENT;
	case FXT_RECORD_BLOB:
		return FXT_KIND_BLOB;
	case FXT_RECORD_USERSPACE_OBJECT:
		return FXT_KIND_USERSPACE_OBJECT;
	case FXT_RECORD_KERNEL_OBJECT:
		return FXT_KIND_KERNEL_OBJECT;
	case FXT_RECORD_SCHEDULING:
		return scheduling_kind(header);
	case FXT_RECORD_LOG:
		return FXT_KIND_LOG;
	case FXT_RECORD_PROFILER:
		return profiler_kind(header);
	case FXT_RECORD_LARGE:
		return large_kind(header);
	}
	return FXT_KIND_UNKNOWN;
}

static const char *const kinds[FXT_KINDS] = {
	[FXT_KIND_MALFORMED] = "malformed",
	[FXT_KIND_UNKNOWN] = "unknown",
	[FXT_KIND_PROVIDER_INFO] = "provider-info",
	[FXT_KIND_PROVIDER_SECTION] = "provider-section",
	[FXT_KIND_PROVIDER_EVENT] = "provider-event",
	[FXT_KIND_MAGIC] = "magic",
	[FXT_KIND_INITIALIZATION] = "initialization",
	[FXT_KIND_STRING] = "string",
	[FXT_KIND_THREAD] = "thread",
	[FXT_KIND_EVENT] = "event",
	[FXT_KIND_BLOB] = "blob",
	[FXT_KIND_USERSPACE_OBJECT] = "userspace-object",
	[FXT_KIND_KERNEL_OBJECT] = "kernel-object",
	[FXT_KIND_LEGACY_SWITCH] = "legacy-context-switch",
	[FXT_KIND_CONTEXT_SWITCH] = "context-switch",
	[FXT_KIND_WAKEUP] = "wakeup",
	[FXT_KIND_LOG] = "log",
	[FXT_KIND_MODULE] = "module",
	[FXT_KIND_MMAP] = "mmap",
	[FXT_KIND_BACKTRACE] = "backtrace",
	[FXT_KIND_LARGE_BLOB] = "large-blob",
};

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

#define BITS(lo, hi)	((~0ULL >> (63 - (hi) + (lo))) << (lo))

static const __u64 reserved[FXT_KINDS] = {
	[FXT_KIND_PROVIDER_INFO] = BITS(60, 63),
	[FXT_KIND_PROVIDER_SECTION] = BITS(52, 63),
	[FXT_KIND_PROVIDER_EVENT] = BITS(56, 63),
	[FXT_KIND_INITIALIZATION] = BITS(16, 63),
	[FXT_KIND_STRING] = BITS(31, 31) | BITS(47, 63),
	[FXT_KIND_THREAD] = BITS(24, 63),
	[FXT_KIND_BLOB] = BITS(47, 47) | BITS(56, 63),
	[FXT_KIND_USERSPACE_OBJECT] = BITS(44, 63),
	[FXT_KIND_KERNEL_OBJECT] = BITS(44, 63),
	[FXT_KIND_CONTEXT_SWITCH] = BITS(40, 59),
	[FXT_KIND_WAKEUP] = BITS(36, 59),
	[FXT_KIND_LOG] = BITS(31, 31) | BITS(40, 63),
	[FXT_KIND_MODULE] = BITS(60, 63),
	[FXT_KIND_MMAP] = BITS(47, 63),
	[FXT_KIND_BACKTRACE] = BITS(36, 63),
	[FXT_KIND_LARGE_BLOB] = BITS(44, 63),
};

#define NAME(names, i)	((i) < sizeof(names) / sizeof((names)[0]) ? (names)[i] : NULL)

const char *fxt_kind_name(enum fxt_kind kind)
{
	return kinds[kind];
}

__u64 fxt_kind_reserved(enum fxt_kind kind)
{
	return reserved[kind];
}

bool fxt_kind_plausible(const struct fxt_record *first)
{
	if (first->kind == FXT_KIND_MALFORMED || first->kind == FXT_KIND_UNKNOWN)
		return false;
	if (first->kind == FXT_KIND_MAGIC)
		return first->header == FXT_MAGIC;
	return first->used == 8 * first->frame.words && !(first->header & reserved[first->kind]);
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
