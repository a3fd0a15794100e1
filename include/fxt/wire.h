/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The Fuchsia trace format on the wire: record types, fields and the packers of single words.
 *
 * All of this file works on 64-bit words and needs no library, so that the module, the
 * eBPF programs and the tool share it.  Field positions are those of the specification
 * (https://fuchsia.dev/fuchsia-src/reference/tracing/trace-format), least significant
 * bit first, both ends inclusive.
 */
#ifndef FXT_WIRE_H
#define FXT_WIRE_H

#include <linux/types.h>

#define FXT_INLINE static inline __attribute__((always_inline))

enum fxt_record_type {
	FXT_RECORD_METADATA = 0,
	FXT_RECORD_INITIALIZATION = 1,
	FXT_RECORD_STRING = 2,
	FXT_RECORD_THREAD = 3,
	FXT_RECORD_EVENT = 4,
	FXT_RECORD_BLOB = 5,
	FXT_RECORD_USERSPACE_OBJECT = 6,
	FXT_RECORD_KERNEL_OBJECT = 7,
	FXT_RECORD_SCHEDULING = 8,
	FXT_RECORD_LOG = 9,
	FXT_RECORD_PROFILER = 10,
	FXT_RECORD_LARGE = 15,
};

enum fxt_metadata_type {
	FXT_METADATA_PROVIDER_INFO = 1,
	FXT_METADATA_PROVIDER_SECTION = 2,
	FXT_METADATA_PROVIDER_EVENT = 3,
	FXT_METADATA_TRACE_INFO = 4,
};

enum fxt_event_type {
	FXT_EVENT_INSTANT = 0,
	FXT_EVENT_COUNTER = 1,
	FXT_EVENT_DURATION_BEGIN = 2,
	FXT_EVENT_DURATION_END = 3,
	FXT_EVENT_DURATION_COMPLETE = 4,
	FXT_EVENT_ASYNC_BEGIN = 5,
	FXT_EVENT_ASYNC_INSTANT = 6,
	FXT_EVENT_ASYNC_END = 7,
	FXT_EVENT_FLOW_BEGIN = 8,
	FXT_EVENT_FLOW_STEP = 9,
	FXT_EVENT_FLOW_END = 10,
};

enum fxt_scheduling_type {
	FXT_SCHEDULING_LEGACY_SWITCH = 0,
	FXT_SCHEDULING_CONTEXT_SWITCH = 1,
	FXT_SCHEDULING_WAKEUP = 2,
};

enum fxt_thread_state {
	FXT_STATE_NEW = 0,
	FXT_STATE_RUNNING = 1,
	FXT_STATE_SUSPENDED = 2,
	FXT_STATE_BLOCKED = 3,
	FXT_STATE_DYING = 4,
	FXT_STATE_DEAD = 5,
};

enum fxt_blob_type {
	FXT_BLOB_DATA = 1,
	FXT_BLOB_LAST_BRANCH = 2,
	FXT_BLOB_PERFETTO = 3,
};

enum fxt_profiler_type {
	FXT_PROFILER_MODULE = 0,
	FXT_PROFILER_MMAP = 1,
	FXT_PROFILER_BACKTRACE = 2,
};

enum fxt_large_type {
	FXT_LARGE_BLOB = 0,
};

enum fxt_large_blob_format {
	FXT_LARGE_BLOB_WITH_METADATA = 0,
	FXT_LARGE_BLOB_BARE = 1,
};

enum fxt_argument_type {
	FXT_ARG_NULL = 0,
	FXT_ARG_INT32 = 1,
	FXT_ARG_UINT32 = 2,
	FXT_ARG_INT64 = 3,
	FXT_ARG_UINT64 = 4,
	FXT_ARG_DOUBLE = 5,
	FXT_ARG_STRING = 6,
	FXT_ARG_POINTER = 7,
	FXT_ARG_KOID = 8,
	FXT_ARG_BOOL = 9,
	FXT_ARG_BLOB = 10,
};

/* ZX_OBJ_TYPE_* of the kernel object record. */
enum fxt_object_type {
	FXT_OBJECT_PROCESS = 1,
	FXT_OBJECT_THREAD = 2,
};

#define FXT_MAGIC		0x0016547846040010ULL
#define FXT_RECORD_WORDS_MAX	4095u
#define FXT_ARGS_MAX		15u
#define FXT_STRING_BYTES_MAX	32000u
#define FXT_STRING_INDEX_MAX	0x7fffu
#define FXT_THREAD_INDEX_MAX	0xffu

#define FXT_REF_EMPTY		0u
#define FXT_REF_INLINE		0x8000u

/* Returns bits lo..hi of word, both inclusive. */
FXT_INLINE __u64 fxt_field(__u64 word, unsigned int lo, unsigned int hi)
{
	return (word >> lo) & (~0ULL >> (63 - (hi - lo)));
}

/* Returns the words of that many bytes, padding included. */
FXT_INLINE __u64 fxt_words(__u64 bytes)
{
	return (bytes + 7) >> 3;
}

/* Returns the reference to an inline string of that many bytes; the empty string needs no bytes. */
FXT_INLINE __u64 fxt_ref_inline(__u64 bytes)
{
	return bytes ? FXT_REF_INLINE | bytes : FXT_REF_EMPTY;
}

#define FXT_HEADER(type, words)	((__u64)(type) | (__u64)(words) << 4)

#define FXT_METADATA(type, words, provider) \
	(FXT_HEADER(FXT_RECORD_METADATA, words) | (__u64)(type) << 16 | \
	 (__u64)(provider) << 20)

/* Packs a provider info; name_bytes of name follow. */
FXT_INLINE __u64 fxt_provider_info(__u32 provider, __u64 name_bytes)
{
	return FXT_METADATA(FXT_METADATA_PROVIDER_INFO, 1 + fxt_words(name_bytes), provider) |
	       name_bytes << 52;
}

FXT_INLINE __u64 fxt_provider_section(__u32 provider)
{
	return FXT_METADATA(FXT_METADATA_PROVIDER_SECTION, 1, provider);
}

/* Packs provider event 0: a buffer filled up, records were likely dropped. */
FXT_INLINE __u64 fxt_provider_buffer_full(__u32 provider)
{
	return FXT_METADATA(FXT_METADATA_PROVIDER_EVENT, 1, provider);
}

/* Packs a string record; bytes of text follow. */
FXT_INLINE __u64 fxt_string(__u32 index, __u64 bytes)
{
	return FXT_HEADER(FXT_RECORD_STRING, 1 + fxt_words(bytes)) | (__u64)index << 16 |
	       bytes << 32;
}

/* Packs a thread record; the process's and the thread's koid follow. */
FXT_INLINE __u64 fxt_thread(__u32 index)
{
	return FXT_HEADER(FXT_RECORD_THREAD, 3) | (__u64)index << 16;
}

/* Packs an event record; words is the size of the record, thread an index of the thread table. */
FXT_INLINE __u64 fxt_event(enum fxt_event_type type, __u64 words, __u32 args, __u32 thread,
			   __u64 category_ref, __u64 name_ref)
{
	return FXT_HEADER(FXT_RECORD_EVENT, words) | (__u64)type << 16 | (__u64)args << 20 |
	       (__u64)thread << 24 | category_ref << 32 | name_ref << 48;
}

FXT_INLINE __u64 fxt_kernel_object(enum fxt_object_type type, __u64 words, __u64 name_ref,
				   __u32 args)
{
	return FXT_HEADER(FXT_RECORD_KERNEL_OBJECT, words) | (__u64)type << 16 |
	       name_ref << 24 | (__u64)args << 40;
}

/* Packs a log record; thread is an index of the thread table.  The time and the text follow. */
FXT_INLINE __u64 fxt_log(__u64 bytes, __u32 thread)
{
	return FXT_HEADER(FXT_RECORD_LOG, 2 + fxt_words(bytes)) | bytes << 16 |
	       (__u64)thread << 32;
}

FXT_INLINE __u64 fxt_context_switch(__u64 words, __u32 args, __u32 cpu, __u64 state)
{
	return FXT_HEADER(FXT_RECORD_SCHEDULING, words) | (__u64)args << 16 |
	       (__u64)cpu << 20 | state << 36 |
	       (__u64)FXT_SCHEDULING_CONTEXT_SWITCH << 60;
}

FXT_INLINE __u64 fxt_wakeup(__u64 words, __u32 args, __u32 target_cpu)
{
	return FXT_HEADER(FXT_RECORD_SCHEDULING, words) | (__u64)args << 16 |
	       (__u64)target_cpu << 20 | (__u64)FXT_SCHEDULING_WAKEUP << 60;
}

/* Argument header; the meaning of bits 32..63 depends on the type. */
#define FXT_ARG(type, words, name_ref, high) \
	((__u64)(type) | (__u64)(words) << 4 | (__u64)(name_ref) << 16 | (__u64)(high) << 32)

FXT_INLINE __u64 fxt_arg_int32(__u64 name_ref, __s32 value)
{
	return FXT_ARG(FXT_ARG_INT32, 1, name_ref, (__u32)value);
}

FXT_INLINE __u64 fxt_arg_uint32(__u64 name_ref, __u32 value)
{
	return FXT_ARG(FXT_ARG_UINT32, 1, name_ref, value);
}

/* Packs an argument header; the value is the next word. */
FXT_INLINE __u64 fxt_arg_uint64(__u64 name_ref)
{
	return FXT_ARG(FXT_ARG_UINT64, 2, name_ref, 0);
}

/* Packs an argument header; the value is the next word. */
FXT_INLINE __u64 fxt_arg_int64(__u64 name_ref)
{
	return FXT_ARG(FXT_ARG_INT64, 2, name_ref, 0);
}

/* Packs an argument; both references are to the string table. */
FXT_INLINE __u64 fxt_arg_string(__u64 name_ref, __u64 value_ref)
{
	return FXT_ARG(FXT_ARG_STRING, 1, name_ref, value_ref);
}

/* Packs an argument header; the koid is the next word. */
FXT_INLINE __u64 fxt_arg_koid(__u64 name_ref)
{
	return FXT_ARG(FXT_ARG_KOID, 2, name_ref, 0);
}

#endif
