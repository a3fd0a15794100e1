/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* One decoded record: its fields, with strings and threads resolved. */
#ifndef FXT_CODEC_RECORD_H
#define FXT_CODEC_RECORD_H

#include <stdbool.h>
#include <string.h>

#include "codec/frame.h"

struct fxt_provider;
union fxt_sched_view;

/*
 * The kinds of records, by type and subtype: name, text, the bits of the header
 * that must be zero.  MALFORMED: its contents don't fit, see fault.  UNKNOWN: of a
 * type that the specification doesn't define.
 */
#define FXT_KIND_BITS(lo, hi)	((~0ULL >> (63 - (hi) + (lo))) << (lo))
#define FXT_KIND_TABLE(ROW)								\
	ROW(MALFORMED, "malformed", 0)							\
	ROW(UNKNOWN, "unknown", 0)							\
	ROW(PROVIDER_INFO, "provider-info", FXT_KIND_BITS(60, 63))			\
	ROW(PROVIDER_SECTION, "provider-section", FXT_KIND_BITS(52, 63))		\
	ROW(PROVIDER_EVENT, "provider-event", FXT_KIND_BITS(56, 63))			\
	ROW(MAGIC, "magic", 0)								\
	ROW(INITIALIZATION, "initialization", FXT_KIND_BITS(16, 63))			\
	ROW(STRING, "string", FXT_KIND_BITS(31, 31) | FXT_KIND_BITS(47, 63))		\
	ROW(THREAD, "thread", FXT_KIND_BITS(24, 63))					\
	ROW(EVENT, "event", 0)								\
	ROW(BLOB, "blob", FXT_KIND_BITS(47, 47) | FXT_KIND_BITS(56, 63))		\
	ROW(USERSPACE_OBJECT, "userspace-object", FXT_KIND_BITS(44, 63))		\
	ROW(KERNEL_OBJECT, "kernel-object", FXT_KIND_BITS(44, 63))			\
	ROW(LEGACY_SWITCH, "legacy-context-switch", 0)					\
	ROW(CONTEXT_SWITCH, "context-switch", FXT_KIND_BITS(40, 59))			\
	ROW(WAKEUP, "wakeup", FXT_KIND_BITS(36, 59))					\
	ROW(LOG, "log", FXT_KIND_BITS(31, 31) | FXT_KIND_BITS(40, 63))			\
	ROW(MODULE, "module", FXT_KIND_BITS(60, 63))					\
	ROW(MMAP, "mmap", FXT_KIND_BITS(47, 63))					\
	ROW(BACKTRACE, "backtrace", FXT_KIND_BITS(36, 63))				\
	ROW(LARGE_BLOB, "large-blob", FXT_KIND_BITS(44, 63))

#define FXT_KIND_ENUM(name, text, reserved)	FXT_KIND_##name,
enum fxt_kind {
	FXT_KIND_TABLE(FXT_KIND_ENUM)
	FXT_KINDS,
};

/* A string, not terminated: in the window, or in its provider's table. */
struct fxt_text {
	const char *bytes;
	__u32 length;
	__u32 at;		/* offset in the record of the reference */
	__u16 ref;		/* FXT_REF_INLINE is set where the text is in the record */
	bool unknown;		/* ref is of an index without a string; length is 0 */
};

/* A thread of a process, by a reference; unknown: no thread has that index. */
struct fxt_thread_koids {
	__u64 process;
	__u64 thread;
	__u32 at;		/* offset in the record of the reference */
	__u8 ref;		/* 0: the koids are in the record */
	bool unknown;
};

struct fxt_arg {
	__u8 type;		/* enum fxt_argument_type, or what isn't defined */
	__u16 words;		/* by its header */
	__u16 used;		/* by its contents; all of an undefined type's */
	__u32 at;		/* offset in the record */
	struct fxt_text name;
	union {
		__s32 int32;
		__u32 uint32;
		__s64 int64;
		__u64 uint64;	/* of a pointer and a koid as well; the bits of real */
		double real;
		bool boolean;
		struct fxt_text string;
		struct fxt_bytes {
			const __u8 *data;
			__u32 length;
		} blob;
	};
};

/* Why a record is malformed: the kind that it would be, the fault's offset, a clause. */
struct fxt_fault {
	enum fxt_kind kind;
	__u64 offset;		/* in the file */
	const char *text;
};

/*
 * Pointers into the window or a table are valid until the next record is read.
 * The fields up to tail have a value in every record; of those behind it only
 * what a record of its kind has, the others may be an earlier record's.
 */
struct fxt_record {
	struct fxt_frame frame;
	__u64 header;
	enum fxt_kind kind;
	bool timed;		/* ticks holds */
	__u8 arg_count;
	__u8 cut;		/* of a record that was built: texts that were too long, and lack their ends */
	__u64 used;		/* bytes of its contents */
	bool unresolved;	/* it refers to a string or a thread that isn't there */
	__u64 ticks;
	/* Of the record; of provider info and section, of the records that follow. */
	const struct fxt_provider *provider;
	struct fxt_fault fault;	/* MALFORMED */
	const __u8 *tail;	/* its last word; NULL where that is not in the window */
	/* A context switch or wakeup in brief, without arguments: model/sched_view.h; else NULL. */
	const union fxt_sched_view *view;
	__u32 input;		/* of several that are merged: its number */

	struct fxt_thread_koids thread;
	struct fxt_text category;
	struct fxt_text name;	/* of an event, a blob, an object, a provider, a module */
	struct fxt_text text;	/* of a string record and a log record */
	struct fxt_arg args[FXT_ARGS_MAX];

	/* A blob's bytes; a large one's may extend past the window. */
	struct fxt_payload {
		__u64 at;	/* offset in the record */
		__u64 length;
		const __u8 *data;
		size_t bytes;	/* of length, those in the window */
	} payload;

	union {
		struct {
			__u32 id;
			__u8 event;
			bool again;	/* provider info of a provider that has one already */
			bool unknown;	/* the id has had no provider info */
		} of_provider;
		__u64 ticks_per_second;
		__u16 index;		/* of a string or a thread record */
		struct {
			enum fxt_event_type type;
			__u64 end;	/* ticks; duration complete */
			__u64 id;	/* counter; async and flow correlation */
			bool logged;	/* it stands for a log record as well: convert/pairing.h */
			bool unsettled;	/* what it is, the records before it say: convert/sort/settle.h */
		} event;
		__u8 blob_type;
		__u64 pointer;		/* of a userspace object */
		struct {
			__u64 koid;
			__u8 type;	/* ZX_OBJ_TYPE_* */
			bool carried;	/* it repeats an earlier part's: convert/carryover.h */
		} object;
		struct {
			__u16 cpu;
			__u8 state;	/* enum fxt_thread_state, or what isn't defined */
			struct fxt_thread_koids outgoing;	/* legacy: process too */
			struct fxt_thread_koids incoming;	/* the woken thread as well */
			__u8 outgoing_priority;			/* legacy */
			__u8 incoming_priority;			/* legacy */
		} sched;
		struct {
			__u16 id;
			__u8 flags;		/* mmap */
			struct fxt_bytes build_id;
			__u64 start, range, vaddr;	/* mmap */
		} module;
		struct fxt_bytes backtrace;	/* words, little endian */
		enum fxt_large_blob_format large_format;
	};
};

/* The last argument of that name, or NULL. */
const struct fxt_arg *fxt_record_arg(const struct fxt_record *r, const char *name);

/* Inline, as are those below: most are asked of each event, with a literal of known length. */
static inline bool fxt_text_equal(const struct fxt_text *text, const char *other)
{
	size_t length = strlen(other);

	return text->length == length && !memcmp(text->bytes, other, length);
}

/* A terminated copy, to be freed; NULL without memory. */
char *fxt_text_copy(const struct fxt_text *text);

/* Whether it is an argument, of string type and with that value. */
static inline bool fxt_arg_equal(const struct fxt_arg *arg, const char *value)
{
	return arg && arg->type == FXT_ARG_STRING && fxt_text_equal(&arg->string, value);
}

/* Whether it is an event of that category and name. */
static inline bool fxt_record_is_event(const struct fxt_record *r, const char *category, const char *name)
{
	return r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, category) && fxt_text_equal(&r->name, name);
}

/* An integer argument's value, a koid's or a pointer's; -EINVAL for others, NULL, negatives. */
int fxt_arg_number(const struct fxt_arg *arg, __u64 *value);

/* The value of an argument of any type of number, rounded to what a double holds; -EINVAL for others. */
int fxt_arg_real(const struct fxt_arg *arg, double *value);

#endif
