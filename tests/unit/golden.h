/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Golden records: every kind of record and argument, written by hand from the specification.
 *
 * Each follows the records of golden_tables, which register provider 7, strings 1 "cat", 2 "name", 3 "arg", 4 "value",
 * and threads 5 (process 100, thread 101) and 6 (process 102, thread 103).  Bytes are in the order of the file, words
 * little-endian; comments give fields from the lowest bit on.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stddef.h>

#include "codec/record.h"

#define GOLDENS(X)						\
	X(magic,			MAGIC)			\
	X(provider_info,		PROVIDER_INFO)		\
	X(provider_section,		PROVIDER_SECTION)	\
	X(provider_event,		PROVIDER_EVENT)		\
	X(initialization,		INITIALIZATION)		\
	X(string,			STRING)			\
	X(string_exact,			STRING)			\
	X(string_empty,			STRING)			\
	X(thread,			THREAD)			\
	X(instant,			EVENT)			\
	X(instant_inline,		EVENT)			\
	X(counter,			EVENT)			\
	X(duration_begin,		EVENT)			\
	X(duration_end,			EVENT)			\
	X(duration_complete,		EVENT)			\
	X(async_begin,			EVENT)			\
	X(async_instant,		EVENT)			\
	X(async_end,			EVENT)			\
	X(flow_begin,			EVENT)			\
	X(flow_step,			EVENT)			\
	X(flow_end,			EVENT)			\
	X(arg_null,			EVENT)			\
	X(arg_int32,			EVENT)			\
	X(arg_uint32,			EVENT)			\
	X(arg_int64,			EVENT)			\
	X(arg_uint64,			EVENT)			\
	X(arg_double,			EVENT)			\
	X(arg_string,			EVENT)			\
	X(arg_string_inline,		EVENT)			\
	X(arg_pointer,			EVENT)			\
	X(arg_koid,			EVENT)			\
	X(arg_bool,			EVENT)			\
	X(arg_blob,			EVENT)			\
	X(args_fifteen,			EVENT)			\
	X(blob,				BLOB)			\
	X(blob_inline,			BLOB)			\
	X(userspace_object,		USERSPACE_OBJECT)	\
	X(userspace_object_inline,	USERSPACE_OBJECT)	\
	X(kernel_object,		KERNEL_OBJECT)		\
	X(legacy_switch,		LEGACY_SWITCH)		\
	X(legacy_switch_inline,		LEGACY_SWITCH)		\
	X(context_switch,		CONTEXT_SWITCH)		\
	X(wakeup,			WAKEUP)			\
	X(log,				LOG)			\
	X(log_inline,			LOG)			\
	X(module,			MODULE)			\
	X(module_inline,		MODULE)			\
	X(mmap,				MMAP)			\
	X(backtrace,			BACKTRACE)		\
	X(large_blob,			LARGE_BLOB)		\
	X(large_blob_inline,		LARGE_BLOB)		\
	X(large_blob_bare,		LARGE_BLOB)

#define GOLDEN_ID(name, kind) GOLDEN_##name,
enum golden_id {
	GOLDENS(GOLDEN_ID)
	GOLDEN_END,
};
#undef GOLDEN_ID

#define GOLDEN_DECLARE(name, kind)		\
	extern const __u8 golden_##name[];	\
	extern const size_t golden_##name##_size;
GOLDENS(GOLDEN_DECLARE)
GOLDEN_DECLARE(tables, -)
#undef GOLDEN_DECLARE

/* Defines a golden record by its bytes. */
#define GOLDEN(name, ...)					\
	const __u8 golden_##name[] = { __VA_ARGS__ };		\
	const size_t golden_##name##_size = sizeof(golden_##name)

struct golden {
	const char *name;
	const __u8 *bytes;
	size_t size;
	enum fxt_kind kind;
};

/* Returns a golden record by its number. */
struct golden golden_get(enum golden_id id);

#endif
