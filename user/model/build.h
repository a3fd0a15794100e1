/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds records field by field, for readers.  The ticks of these records are nanoseconds. */
#ifndef FXT_MODEL_BUILD_H
#define FXT_MODEL_BUILD_H

#include "codec/record.h"
#include "fxt/linux.h"

static inline struct fxt_text fxt_build_text(const char *bytes, size_t length)
{
	return (struct fxt_text){ .bytes = bytes, .length = length };
}

struct fxt_text fxt_build_string(const char *text);

/* Makes an empty record of a kind. */
void fxt_build(struct fxt_record *r, enum fxt_kind kind, __u64 ns);

/* Makes an event of a thread, without arguments. */
void fxt_build_event(struct fxt_record *r, enum fxt_event_type type, __u64 ns, __u64 process,
		     __u64 thread, struct fxt_text category, struct fxt_text name);

/* Makes a log record, which refers to the text. */
void fxt_build_log(struct fxt_record *r, __u64 ns, __u64 process, __u64 thread,
		   struct fxt_text text);

/*
 * Each of these adds an argument.  Returns 0, or -E2BIG beyond FXT_ARGS_MAX.  Texts are cut
 * to the longest string of a record.
 */
int fxt_build_arg_int(struct fxt_record *r, struct fxt_text name, __s64 value);
int fxt_build_arg_uint(struct fxt_record *r, struct fxt_text name, __u64 value);
int fxt_build_arg_double(struct fxt_record *r, struct fxt_text name, double value);
int fxt_build_arg_string(struct fxt_record *r, struct fxt_text name, struct fxt_text value);
/* Adds a text, unless it is empty. */
int fxt_build_arg_text(struct fxt_record *r, const char *name, struct fxt_text value);
int fxt_build_arg_bool(struct fxt_record *r, struct fxt_text name, bool value);
int fxt_build_arg_null(struct fxt_record *r, struct fxt_text name);
int fxt_build_arg_koid(struct fxt_record *r, struct fxt_text name, __u64 koid);
int fxt_build_arg_pointer(struct fxt_record *r, struct fxt_text name, __u64 pointer);

/* Make a record of the name of a thread (with its process) or of a process, from a time on. */
void fxt_build_thread_name(struct fxt_record *r, __u64 thread, __u64 process,
			   struct fxt_text name, __u64 since);
void fxt_build_process_name(struct fxt_record *r, __u64 process, struct fxt_text name,
			    __u64 since);

#endif
