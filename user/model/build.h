/* SPDX-License-Identifier: GPL-2.0-only */
/* Records built field by field, for readers; their ticks are nanoseconds. */
#ifndef FXT_MODEL_BUILD_H
#define FXT_MODEL_BUILD_H

#include "codec/record.h"
#include "fxt/linux.h"

static inline struct fxt_text fxt_build_text(const char *bytes, size_t length)
{
	return (struct fxt_text){ .bytes = bytes, .length = length };
}

struct fxt_text fxt_build_string(const char *text);

/* An empty record of a kind. */
void fxt_build(struct fxt_record *r, enum fxt_kind kind, __u64 ns);

/* An event of a thread, without arguments. */
void fxt_build_event(struct fxt_record *r, enum fxt_event_type type, __u64 ns, __u64 process,
		     __u64 thread, struct fxt_text category, struct fxt_text name);

/* A log record; the text isn't copied. */
void fxt_build_log(struct fxt_record *r, __u64 ns, __u64 process, __u64 thread,
		   struct fxt_text text);

/*
 * Each adds an argument; 0, or -E2BIG past FXT_ARGS_MAX.  Texts are cut to what
 * a string may have.
 */
int fxt_build_arg_int(struct fxt_record *r, struct fxt_text name, __s64 value);
int fxt_build_arg_uint(struct fxt_record *r, struct fxt_text name, __u64 value);
int fxt_build_arg_double(struct fxt_record *r, struct fxt_text name, double value);
int fxt_build_arg_string(struct fxt_record *r, struct fxt_text name, struct fxt_text value);
/* Of a text, unless that is empty. */
int fxt_build_arg_text(struct fxt_record *r, const char *name, struct fxt_text value);
int fxt_build_arg_bool(struct fxt_record *r, struct fxt_text name, bool value);
int fxt_build_arg_null(struct fxt_record *r, struct fxt_text name);
int fxt_build_arg_koid(struct fxt_record *r, struct fxt_text name, __u64 koid);
int fxt_build_arg_pointer(struct fxt_record *r, struct fxt_text name, __u64 pointer);

/* A thread's name and process from a time on; the process's name is another record. */
void fxt_build_thread_name(struct fxt_record *r, __u64 thread, __u64 process,
			   struct fxt_text name, __u64 since);
void fxt_build_process_name(struct fxt_record *r, __u64 process, struct fxt_text name,
			    __u64 since);

#endif
