/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * libfxtrec: reads and writes the Fuchsia trace format (FXT).
 *
 * C11 or C++11, Linux.  Link with -lfxtrec; fxtrec(3) has an example.  "Specification" is
 * https://fuchsia.dev/fuchsia-src/reference/tracing/trace-format; sections are named in quotes.
 *
 * Functions return 0 or more, or -errno; none prints, exits or changes a signal.  Handles share
 * only random bytes, made when the library is loaded, so that no file can foresee a hash: one
 * thread at a time may use a handle, and several threads may use several handles.
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

/* Types of events ("Event record"). */
enum fxtrec_event_type {
	FXTREC_EVENT_INSTANT = 0,
	FXTREC_EVENT_COUNTER = 1,		/* value: id of the counter */
	FXTREC_EVENT_DURATION_BEGIN = 2,
	FXTREC_EVENT_DURATION_END = 3,
	FXTREC_EVENT_DURATION_COMPLETE = 4,	/* value: end in ticks */
	FXTREC_EVENT_ASYNC_BEGIN = 5,		/* value of this and the later types: correlation id */
	FXTREC_EVENT_ASYNC_INSTANT = 6,
	FXTREC_EVENT_ASYNC_END = 7,
	FXTREC_EVENT_FLOW_BEGIN = 8,
	FXTREC_EVENT_FLOW_STEP = 9,
	FXTREC_EVENT_FLOW_END = 10
};

/* Types of arguments ("Argument types"). */
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

/* States of threads ("Thread States"). */
enum fxtrec_thread_state {
	FXTREC_STATE_NEW = 0,
	FXTREC_STATE_RUNNING = 1,
	FXTREC_STATE_SUSPENDED = 2,
	FXTREC_STATE_BLOCKED = 3,
	FXTREC_STATE_DYING = 4,
	FXTREC_STATE_DEAD = 5
};

/* Bytes, not terminated; a string is UTF-8. */
struct fxtrec_text {
	const char *bytes;
	size_t length;
};

/* A thread by the ids of kernel objects; on Linux, process and thread ids. */
struct fxtrec_thread {
	uint64_t process;
	uint64_t thread;
};

/* An argument ("Arguments"); a record has at most 15. */
#define FXTREC_ARGS_MAX 15

struct fxtrec_arg {
	struct fxtrec_text name;
	uint32_t type;			/* enum fxtrec_arg_type, or an undefined number */
	union {
		int32_t int32;
		uint32_t uint32;	/* also a bool: 0 or 1 */
		int64_t int64;
		uint64_t uint64;	/* also a pointer or a koid */
		double real;
	} number;
	struct fxtrec_text text;	/* string or blob */
};

/* The writer. */

struct fxtrec_writer;

/* Writes count bytes.  Returns the number of bytes written, at least one, or -errno; any other result fails as -EIO. */
typedef ssize_t (*fxtrec_write)(void *arg, const void *bytes, size_t count);

/*
 * Open a writer: to a file, which is created (readable only by its owner) or emptied; or by a function.  A
 * magic number comes first ("Magic number record").  The following records belong to a provider without a
 * name, with ticks of nanoseconds, until fxtrec_writer_provider().  Return 0, -ENOMEM, or the error of open().
 */
int fxtrec_writer_open(struct fxtrec_writer **writer, const char *path);
int fxtrec_writer_open_with(struct fxtrec_writer **writer, fxtrec_write write, void *arg);

/*
 * Starts a new provider with empty tables for the following records ("Provider info
 * metadata" and "Initialization record").  Its name has up to 255 bytes; ticks_per_second
 * isn't 0.  Returns -EEXIST for an id that is in use; -E2BIG also beyond 16,384 providers.
 */
int fxtrec_writer_provider(struct fxtrec_writer *writer, uint32_t id, const char *name,
			   uint64_t ticks_per_second);

/*
 * Continues with an earlier provider for the following records ("Provider section
 * metadata").  Returns -ENOENT for an unknown id.
 */
int fxtrec_writer_section(struct fxtrec_writer *writer, uint32_t id);

/*
 * Reports that records of the current provider were lost ("Provider event metadata").
 * Returns -ENOENT before the first provider.
 */
int fxtrec_writer_lost(struct fxtrec_writer *writer);

/*
 * Functions that write records.  Texts are terminated by a zero and are UTF-8; NULL is the empty text.
 * Repeated texts and threads use the provider's tables ("String references", "Thread references").  Errors:
 * -EILSEQ: not UTF-8; -E2BIG: longer than a record can be (32,000 bytes of a string, 4,095 words in all),
 * or more than FXTREC_ARGS_MAX arguments; -EINVAL: an argument, a state or a type that the specification
 * doesn't define; -ENOMEM; or the error of writing, and then all later calls fail with this error.
 */

/* Name a process, or a thread of a process ("Kernel object record"). */
int fxtrec_writer_name_process(struct fxtrec_writer *writer, uint64_t process, const char *name);
int fxtrec_writer_name_thread(struct fxtrec_writer *writer, const struct fxtrec_thread *thread, const char *name);

/*
 * Writes an event ("Event record"); enum fxtrec_event_type gives the meaning of value, which
 * is 0 for other types.  Returns -EINVAL also for a duration that ends before its start.
 */
int fxtrec_writer_event(struct fxtrec_writer *writer, enum fxtrec_event_type type, uint64_t ticks,
			const struct fxtrec_thread *thread, const char *category, const char *name,
			uint64_t value, const struct fxtrec_arg *args, unsigned int arg_count);

/*
 * Write a context switch or a wakeup, with threads by their ids only ("Context Switch Record", "Thread Wakeup Record").
 */
int fxtrec_writer_switch(struct fxtrec_writer *writer, uint64_t ticks, uint16_t cpu, uint64_t outgoing,
			 enum fxtrec_thread_state state, uint64_t incoming,
			 const struct fxtrec_arg *args, unsigned int arg_count);
int fxtrec_writer_wakeup(struct fxtrec_writer *writer, uint64_t ticks, uint16_t cpu, uint64_t woken,
			 const struct fxtrec_arg *args, unsigned int arg_count);

/* Writes a message ("Log record"). */
int fxtrec_writer_log(struct fxtrec_writer *writer, uint64_t ticks, const struct fxtrec_thread *thread,
		      const char *message);

/* Writes a blob ("BLOB record"); type is one of "Blob types", 1 to 3; count is up to 32,000. */
int fxtrec_writer_blob(struct fxtrec_writer *writer, const char *name, uint8_t type, const void *bytes, size_t count);

/* Writes the buffered records. */
int fxtrec_writer_flush(struct fxtrec_writer *writer);

/* Writes the buffered records, and frees the writer in any case.  Does nothing for NULL. */
int fxtrec_writer_close(struct fxtrec_writer *writer);

/* The reader. */

struct fxtrec_reader;

/* Reads like read(2), but returns -errno; more than room bytes fail as -EIO. */
typedef ssize_t (*fxtrec_read)(void *arg, void *to, size_t room);

/*
 * Kinds of records ("Record Types").  The reader keeps string and thread records to itself,
 * and resolves references to them.
 */
enum fxtrec_kind {
	FXTREC_KIND_MALFORMED = 0,	/* name: description of the fault; the next record can be read */
	FXTREC_KIND_OTHER = 1,		/* type that this version doesn't decode: raw has the record */
	FXTREC_KIND_PROVIDER = 2,	/* provider and name of a provider info or section */
	FXTREC_KIND_PROVIDER_LOST = 3,
	FXTREC_KIND_EVENT = 4,		/* type: enum fxtrec_event_type */
	FXTREC_KIND_BLOB = 5,		/* type, name, text */
	FXTREC_KIND_PROCESS = 6,	/* name of a process: thread.process, name */
	FXTREC_KIND_THREAD = 7,		/* name of a thread: thread, name */
	FXTREC_KIND_KERNEL_OBJECT = 8,	/* other kernel object: type, value (its id), name */
	FXTREC_KIND_USERSPACE_OBJECT = 9,	/* value (its pointer), thread.process, name */
	FXTREC_KIND_SWITCH = 10,	/* cpu, state, thread.thread (the outgoing thread), incoming */
	FXTREC_KIND_WAKEUP = 11,	/* cpu, thread.thread (the woken thread) */
	FXTREC_KIND_LOG = 12		/* thread, text */
};

/*
 * A record.  Fields that its kind doesn't have are 0.  The record, with its pointers, is
 * valid until the next one is read.  Later versions add fields at the end.
 */
struct fxtrec_record {
	uint32_t kind;			/* enum fxtrec_kind, or a later version's kind */
	uint32_t type;
	uint64_t ticks;
	uint64_t ticks_per_second;	/* rate of its provider, by the records so far; never 0 */
	uint64_t value;
	struct fxtrec_thread thread;
	uint64_t incoming;
	uint32_t provider;		/* id of the provider; 0 before the first provider */
	uint16_t cpu;
	uint16_t state;			/* enum fxtrec_thread_state */
	struct fxtrec_text category;
	struct fxtrec_text name;
	struct fxtrec_text text;
	const struct fxtrec_arg *args;
	size_t arg_count;
	uint64_t offset;		/* offset in the file */
	struct fxtrec_text raw;		/* bytes of the record in the file; only the start of a large record */
};

/* Open a reader of a file ("-" is standard input), or with a function.  Return 0, -ENOMEM, or the error of open(). */
int fxtrec_reader_open(struct fxtrec_reader **reader, const char *path);
int fxtrec_reader_open_with(struct fxtrec_reader **reader, fxtrec_read read, void *arg);

/*
 * Reads the next record.  Returns 1: a record; 0: the file ends after a complete record; -ENODATA:
 * the file ends inside a record; -EBADMSG: a record has size 0, so no record after it can be found;
 * -E2BIG: more providers or strings than this library keeps; -ENOMEM; or the error of reading.
 */
int fxtrec_reader_next(struct fxtrec_reader *reader, const struct fxtrec_record **record);

/* Frees the reader.  Does nothing for NULL. */
void fxtrec_reader_close(struct fxtrec_reader *reader);

/* Converts ticks to nanoseconds ("Timestamps"); returns the largest number on overflow. */
uint64_t fxtrec_nanoseconds(uint64_t ticks, uint64_t ticks_per_second);

/* Returns the version of the library, such as "0.1.0". */
const char *fxtrec_version(void);

#pragma GCC visibility pop

/* Returns the argument of that name, the last of several; or NULL. */
static inline const struct fxtrec_arg *fxtrec_record_arg(const struct fxtrec_record *record, const char *name)
{
	size_t i, length = strlen(name);

	for (i = record->arg_count; i; i--)
		if (record->args[i - 1].name.length == length && !memcmp(record->args[i - 1].name.bytes, name, length))
			return &record->args[i - 1];
	return NULL;
}

/* Make arguments to write; a NULL text is the empty text. */
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
