/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* A decoded record: its fields, with strings and threads resolved. */
#ifndef FXT_CODEC_RECORD_H
#define FXT_CODEC_RECORD_H

#include <stdbool.h>
#include <string.h>

#include "codec/frame.h"

struct fxt_provider;
union fxt_sched_view;

/*
 * The kinds of records, by type and subtype: name, text, the bits of the header that must be zero.
 * MALFORMED: its contents don't fit, see fault.  UNKNOWN: its type isn't defined by the specification.
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

/* A string, not terminated, in the window or in its provider's table. */
struct fxt_text {
	const char *bytes;
	__u32 length;
	__u32 at;		/* offset of the reference in the record */
	__u16 ref;		/* FXT_REF_INLINE is set where the text is in the record */
	bool unknown;		/* no string has the index ref; length is 0 */
};

/* A thread of a process, by a reference; unknown: no thread has the index. */
struct fxt_thread_koids {
	__u64 process;
	__u64 thread;
	__u32 at;		/* offset of the reference in the record */
	__u8 ref;		/* 0: the koids are in the record */
	bool unknown;
};

struct fxt_arg {
	__u8 type;		/* enum fxt_argument_type, or an undefined number */
	__u16 words;		/* size by the argument's header */
	__u16 used;		/* size by the contents; the whole size for an undefined type */
	__u32 at;		/* offset in the record */
	struct fxt_text name;
	union {
		__s32 int32;
		__u32 uint32;
		__s64 int64;
		__u64 uint64;	/* also value of a pointer or a koid; the bits of real */
		double real;
		bool boolean;
		struct fxt_text string;
		struct fxt_bytes {
			const __u8 *data;
			__u32 length;
		} blob;
	};
};

/* Fault of a malformed record: the kind by its header, the fault's offset, and a clause that describes it. */
struct fxt_fault {
	enum fxt_kind kind;
	__u64 offset;		/* offset in the file */
	const char *text;
};

/*
 * A record.  Pointers into the window or a table are valid until the next record is read.
 * The fields up to tail are set in every record; the fields after tail only in the kinds of
 * records that have them, so they may be left from an earlier record.
 */
struct fxt_record {
	struct fxt_frame frame;
	__u64 header;
	enum fxt_kind kind;
	bool timed;		/* ticks is set */
	__u8 arg_count;
	__u8 cut;		/* number of texts that lost their ends because they were too long, in a record that
				 * was built */
	__u64 used;		/* bytes of the contents */
	bool unresolved;	/* a string or a thread that the record refers to is missing */
	__u64 ticks;
	/* Provider of the record; in provider info and section, the provider of the following records. */
	const struct fxt_provider *provider;
	struct fxt_fault fault;	/* fault of a MALFORMED record */
	const __u8 *tail;	/* last word of the record; NULL if it is not in the window */
	/* Context switch or wakeup in brief, without arguments (model/sched_view.h), or NULL. */
	const union fxt_sched_view *view;
	__u32 input;		/* number of the input, where several are merged */
	__u32 machine;		/* number of the machine, where a trace has several: convert/reading.h sets it; 0: the first */

	struct fxt_thread_koids thread;
	struct fxt_text category;
	struct fxt_text name;	/* name of an event, a blob, an object, a provider, a module */
	struct fxt_text text;	/* text of a string record or a log record */
	struct fxt_arg args[FXT_ARGS_MAX];

	/* Bytes of a blob; those of a large blob may extend past the window. */
	struct fxt_payload {
		__u64 at;	/* offset in the record */
		__u64 length;
		const __u8 *data;
		size_t bytes;	/* part of length that is in the window */
	} payload;

	union {
		struct {
			__u32 id;
			__u8 event;
			bool again;	/* provider had a provider info before */
			bool unknown;	/* id had no provider info */
		} of_provider;
		__u64 ticks_per_second;
		__u16 index;		/* index of a string or a thread record */
		struct {
			enum fxt_event_type type;
			__u64 end;	/* end of a complete duration, in ticks */
			__u64 id;	/* id of a counter; correlation id of async and flow events */
			bool logged;	/* event replaces a log record as well: stages/pairing.h */
			bool unsettled;	/* event's type depends on earlier records: stages/resolve.h */
		} event;
		__u8 blob_type;
		__u64 pointer;		/* pointer of a userspace object */
		struct {
			__u64 koid;
			__u8 type;	/* ZX_OBJ_TYPE_* */
			bool carried;	/* repeats an object of an earlier part: stages/carryover.h */
		} object;
		struct {
			__u16 cpu;
			__u8 state;	/* enum fxt_thread_state, or an undefined number */
			struct fxt_thread_koids outgoing;	/* thread by koid; in a legacy switch, with its
								 * process */
			struct fxt_thread_koids incoming;	/* thread by koid; in a wakeup, the woken thread */
			__u8 outgoing_priority;			/* legacy switch only */
			__u8 incoming_priority;			/* legacy switch only */
		} sched;
		struct {
			__u16 id;
			__u8 flags;		/* flags of an mmap record */
			struct fxt_bytes build_id;
			__u64 start, range, vaddr;	/* addresses of an mmap record */
		} module;
		struct fxt_bytes backtrace;	/* words, little endian */
		enum fxt_large_blob_format large_format;
	};
};

/* Returns the last argument with that name, or NULL. */
const struct fxt_arg *fxt_record_arg(const struct fxt_record *r, const char *name);

/*
 * Compares a text with a literal.  Inline, like the functions below, since each event needs
 * some of these comparisons, and the length of a literal is known at compile time.
 */
static inline bool fxt_text_equal(const struct fxt_text *text, const char *other)
{
	size_t length = strlen(other);

	return text->length == length && !memcmp(text->bytes, other, length);
}

/* Compares two texts. */
static inline bool fxt_text_same(const struct fxt_text *a, const struct fxt_text *b)
{
	return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

/* Returns a terminated copy for the caller to free; NULL without memory. */
char *fxt_text_copy(const struct fxt_text *text);

/* Returns whether arg is a string argument with that value; arg may be NULL. */
static inline bool fxt_arg_equal(const struct fxt_arg *arg, const char *value)
{
	return arg && arg->type == FXT_ARG_STRING && fxt_text_equal(&arg->string, value);
}

/* Returns whether a record is an event of that category and name. */
static inline bool fxt_record_is_event(const struct fxt_record *r, const char *category, const char *name)
{
	return r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, category) && fxt_text_equal(&r->name, name);
}

/*
 * Gets the value of an integer argument, a koid or a pointer.  Returns 0; -EINVAL for other
 * types, negative values and NULL.
 */
int fxt_arg_number(const struct fxt_arg *arg, __u64 *value);

/* Gets the value of an argument of any numeric type, rounded to a double.  Returns 0; -EINVAL for other types. */
int fxt_arg_real(const struct fxt_arg *arg, double *value);

#endif
