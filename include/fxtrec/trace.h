/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * libfxtrec: reads and writes the Fuchsia trace format (FXT).
 *
 * C11 or C++11, Linux.  Link with -lfxtrec; fxtrec(3) has an example.  "Specification" is
 * https://fuchsia.dev/fuchsia-src/reference/tracing/trace-format; sections are named in quotes.
 *
 * Functions return 0 or more, or -errno; none prints, exits or changes a signal.  Handles share
 * nothing but random bytes, made when the library is loaded, that no file can foresee a hash
 * without: each handle may be used by one thread at a time, several by several.
 */
#ifndef FXTREC_TRACE_H
#define FXTREC_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* "Event record": the types of events. */
enum fxtrec_event_type {
	FXTREC_EVENT_INSTANT = 0,
	FXTREC_EVENT_COUNTER = 1,		/* value: the counter's id */
	FXTREC_EVENT_DURATION_BEGIN = 2,
	FXTREC_EVENT_DURATION_END = 3,
	FXTREC_EVENT_DURATION_COMPLETE = 4,	/* value: its end, in ticks */
	FXTREC_EVENT_ASYNC_BEGIN = 5,		/* value of these and the next: the correlation id */
	FXTREC_EVENT_ASYNC_INSTANT = 6,
	FXTREC_EVENT_ASYNC_END = 7,
	FXTREC_EVENT_FLOW_BEGIN = 8,
	FXTREC_EVENT_FLOW_STEP = 9,
	FXTREC_EVENT_FLOW_END = 10
};

/* "Argument types". */
enum fxtrec_arg_type {
	FXTREC_ARG_NULL = 0,
	FXTREC_ARG_INT32 = 1,
	FXTREC_ARG_UINT32 = 2,
	FXTREC_ARG_INT64 = 3,
	FXTREC_ARG_UINT64 = 4,
	FXTREC_ARG_DOUBLE = 5,
	FXTREC_ARG_STRING = 6,
	FXTREC_ARG_POINTER = 7,
	FXTREC_ARG_KOID = 8,
	FXTREC_ARG_BOOL = 9,
	FXTREC_ARG_BLOB = 10
};

/* "Thread States". */
enum fxtrec_thread_state {
	FXTREC_STATE_NEW = 0,
	FXTREC_STATE_RUNNING = 1,
	FXTREC_STATE_SUSPENDED = 2,
	FXTREC_STATE_BLOCKED = 3,
	FXTREC_STATE_DYING = 4,
	FXTREC_STATE_DEAD = 5
};

/* Bytes, not terminated: UTF-8 where it is a string. */
struct fxtrec_text {
	const char *bytes;
	size_t length;
};

/* A thread by the ids of kernel objects; on Linux, process and thread ids. */
struct fxtrec_thread {
	uint64_t process;
	uint64_t thread;
};

/* "Arguments": at most 15 of a record. */
#define FXTREC_ARGS_MAX 15

struct fxtrec_arg {
	struct fxtrec_text name;
	uint32_t type;			/* enum fxtrec_arg_type, or one that isn't defined */
	union {
		int32_t int32;
		uint32_t uint32;	/* of a bool: 0 or 1 */
		int64_t int64;
		uint64_t uint64;	/* of a pointer and a koid as well */
		double real;
	} number;
	struct fxtrec_text text;	/* of a string and a blob */
};

/* Writing. */

struct fxtrec_writer;

/* Takes count bytes: how many it took, at least one, or -errno; anything else fails as -EIO. */
typedef ssize_t (*fxtrec_write)(void *arg, const void *bytes, size_t count);

/*
 * Creates the file, or empties it, readable by its owner alone; or writes by a function.  A magic number
 * comes first ("Magic number record").  Records that follow are those of a provider without a name; its
 * ticks are nanoseconds, until fxtrec_writer_provider().  -ENOMEM, or what open() fails with.
 */
int fxtrec_writer_open(struct fxtrec_writer **writer, const char *path);
int fxtrec_writer_open_with(struct fxtrec_writer **writer, fxtrec_write write, void *arg);

/*
 * "Provider info metadata" and "Initialization record": what follows is of a new provider, with empty tables.
 * Its name has up to 255 bytes; ticks_per_second isn't 0.  -EEXIST where the id has been given; -E2BIG also beyond
 * 16,384 providers.
 */
int fxtrec_writer_provider(struct fxtrec_writer *writer, uint32_t id, const char *name,
			   uint64_t ticks_per_second);

/* "Provider section metadata": what follows is of a provider that has been given.  -ENOENT. */
int fxtrec_writer_section(struct fxtrec_writer *writer, uint32_t id);

/* "Provider event metadata": records of this provider were lost.  -ENOENT before the first one. */
int fxtrec_writer_lost(struct fxtrec_writer *writer);

/*
 * Texts below are terminated by a zero and UTF-8; NULL is the empty one.  They and threads that repeat take the
 * provider's tables ("String references", "Thread references").  -EILSEQ: no UTF-8; -E2BIG: longer than a
 * record can be (32,000 bytes of a string, 4,095 words in all), or more than FXTREC_ARGS_MAX arguments;
 * -EINVAL: an argument, a state or a type that the specification doesn't define; -ENOMEM; else what writing failed
 * with, and then all that follows fails with that.
 */

/* "Kernel object record": names a process, or a thread of a process. */
int fxtrec_writer_name_process(struct fxtrec_writer *writer, uint64_t process, const char *name);
int fxtrec_writer_name_thread(struct fxtrec_writer *writer, const struct fxtrec_thread *thread, const char *name);

/* "Event record"; value is what the type says, else 0.  -EINVAL also for a duration that ends before it begins. */
int fxtrec_writer_event(struct fxtrec_writer *writer, enum fxtrec_event_type type, uint64_t ticks,
			const struct fxtrec_thread *thread, const char *category, const char *name,
			uint64_t value, const struct fxtrec_arg *args, unsigned int arg_count);

/* "Context Switch Record" and "Thread Wakeup Record": threads by their ids alone. */
int fxtrec_writer_switch(struct fxtrec_writer *writer, uint64_t ticks, uint16_t cpu, uint64_t outgoing,
			 enum fxtrec_thread_state state, uint64_t incoming,
			 const struct fxtrec_arg *args, unsigned int arg_count);
int fxtrec_writer_wakeup(struct fxtrec_writer *writer, uint64_t ticks, uint16_t cpu, uint64_t woken,
			 const struct fxtrec_arg *args, unsigned int arg_count);

/* "Log record". */
int fxtrec_writer_log(struct fxtrec_writer *writer, uint64_t ticks, const struct fxtrec_thread *thread,
		      const char *message);

/* "BLOB record": type is one of "Blob types", 1 to 3; up to 32,000 bytes. */
int fxtrec_writer_blob(struct fxtrec_writer *writer, const char *name, uint8_t type, const void *bytes, size_t count);

/* Writes what is buffered. */
int fxtrec_writer_flush(struct fxtrec_writer *writer);

/* The same, and frees the writer, whatever it returns.  NULL is none. */
int fxtrec_writer_close(struct fxtrec_writer *writer);

/* Reading. */

struct fxtrec_reader;

/* As read(2), but -errno; more than there is room for fails as -EIO. */
typedef ssize_t (*fxtrec_read)(void *arg, void *to, size_t room);

/* "Record Types".  String and thread records are the reader's own: it resolves what refers to them. */
enum fxtrec_kind {
	FXTREC_KIND_MALFORMED = 0,	/* name: what is wrong with it; the next one can be read */
	FXTREC_KIND_OTHER = 1,		/* of a type that this version doesn't take apart: raw has it */
	FXTREC_KIND_PROVIDER = 2,	/* of provider, with its name: info, or a section of it */
	FXTREC_KIND_PROVIDER_LOST = 3,
	FXTREC_KIND_EVENT = 4,		/* type: enum fxtrec_event_type */
	FXTREC_KIND_BLOB = 5,		/* type, name, text */
	FXTREC_KIND_PROCESS = 6,	/* named: thread.process, name */
	FXTREC_KIND_THREAD = 7,		/* named: thread, name */
	FXTREC_KIND_KERNEL_OBJECT = 8,	/* another one: type, value: its id, name */
	FXTREC_KIND_USERSPACE_OBJECT = 9,	/* value: its pointer, thread.process, name */
	FXTREC_KIND_SWITCH = 10,	/* cpu, state, thread.thread: outgoing, incoming */
	FXTREC_KIND_WAKEUP = 11,	/* cpu, thread.thread: woken */
	FXTREC_KIND_LOG = 12		/* thread, text */
};

/*
 * A record.  What its kind doesn't have is 0.  All of it, pointers as well, is valid until the next one is read.
 * Later versions add fields behind these.
 */
struct fxtrec_record {
	uint32_t kind;			/* enum fxtrec_kind, or a later version's */
	uint32_t type;
	uint64_t ticks;
	uint64_t ticks_per_second;	/* of its provider, by the records so far; never 0 */
	uint64_t value;
	struct fxtrec_thread thread;
	uint64_t incoming;
	uint32_t provider;		/* its id; 0 for records before any */
	uint16_t cpu;
	uint16_t state;			/* enum fxtrec_thread_state */
	struct fxtrec_text category;
	struct fxtrec_text name;
	struct fxtrec_text text;
	const struct fxtrec_arg *args;
	size_t arg_count;
	uint64_t offset;		/* in the file */
	struct fxtrec_text raw;		/* as it is in the file; of a large one, the beginning */
};

/* "-" is standard input.  -ENOMEM, or what open() fails with. */
int fxtrec_reader_open(struct fxtrec_reader **reader, const char *path);
int fxtrec_reader_open_with(struct fxtrec_reader **reader, fxtrec_read read, void *arg);

/*
 * The next record.  1: there is one.  0: the file ends behind a whole record.  -ENODATA: it ends inside one.
 * -EBADMSG: a record of size 0, behind which none can be found.  -E2BIG: more providers or strings than this
 * library keeps.  -ENOMEM; else what reading failed with.
 */
int fxtrec_reader_next(struct fxtrec_reader *reader, const struct fxtrec_record **record);

/* NULL is none. */
void fxtrec_reader_close(struct fxtrec_reader *reader);

/* "Timestamps": ticks in nanoseconds; the largest number where that overflows. */
uint64_t fxtrec_nanoseconds(uint64_t ticks, uint64_t ticks_per_second);

/* The version of the library, "0.1.0". */
const char *fxtrec_version(void);

#pragma GCC visibility pop

/* The argument of that name, or NULL; of several, the last. */
static inline const struct fxtrec_arg *fxtrec_record_arg(const struct fxtrec_record *record, const char *name)
{
	size_t i, length = strlen(name);

	for (i = record->arg_count; i; i--)
		if (record->args[i - 1].name.length == length && !memcmp(record->args[i - 1].name.bytes, name, length))
			return &record->args[i - 1];
	return NULL;
}

/* Arguments to write; a NULL text is the empty one. */
static inline struct fxtrec_arg fxtrec_arg_int64(const char *name, int64_t value)
{
	struct fxtrec_arg arg;

	memset(&arg, 0, sizeof(arg));
	arg.name.bytes = name;
	arg.name.length = name ? strlen(name) : 0;
	arg.type = FXTREC_ARG_INT64;
	arg.number.int64 = value;
	return arg;
}

static inline struct fxtrec_arg fxtrec_arg_double(const char *name, double value)
{
	struct fxtrec_arg arg = fxtrec_arg_int64(name, 0);

	arg.type = FXTREC_ARG_DOUBLE;
	arg.number.real = value;
	return arg;
}

static inline struct fxtrec_arg fxtrec_arg_string(const char *name, const char *value)
{
	struct fxtrec_arg arg = fxtrec_arg_int64(name, 0);

	arg.type = FXTREC_ARG_STRING;
	arg.text.bytes = value;
	arg.text.length = value ? strlen(value) : 0;
	return arg;
}

#ifdef __cplusplus
}
#endif

#endif
