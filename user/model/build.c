// SPDX-License-Identifier: GPL-2.0-only
/* Builds records field by field. */
#include <errno.h>
#include <string.h>

#include "model/build.h"

struct fxt_text fxt_build_string(const char *text)
{
	return fxt_build_text(text, strlen(text));
}

void fxt_build(struct fxt_record *r, enum fxt_kind kind, __u64 ns)
{
	/* Clear all but the arguments: arg_count is 0. */
	memset(r, 0, offsetof(struct fxt_record, args));
	memset(&r->payload, 0, sizeof(*r) - offsetof(struct fxt_record, payload));
	r->kind = kind;
	r->timed = kind != FXT_KIND_KERNEL_OBJECT && kind != FXT_KIND_USERSPACE_OBJECT &&
		   kind != FXT_KIND_BLOB;
	r->ticks = ns;
}

static struct fxt_text cut(struct fxt_record *r, struct fxt_text text)
{
	if (text.length <= FXT_STRING_BYTES_MAX)
		return text;
	r->cut++;
	text.length = FXT_STRING_BYTES_MAX;
	/* Don't cut inside a character. */
	while (text.length && ((__u8)text.bytes[text.length] & 0xc0) == 0x80)
		text.length--;
	return text;
}

void fxt_build_event(struct fxt_record *r, enum fxt_event_type type, __u64 ns, __u64 process,
		     __u64 thread, struct fxt_text category, struct fxt_text name)
{
	fxt_build(r, FXT_KIND_EVENT, ns);
	r->event.type = type;
	r->thread.process = process;
	r->thread.thread = thread;
	r->category = cut(r, category);
	r->name = cut(r, name);
}

void fxt_build_log(struct fxt_record *r, __u64 ns, __u64 process, __u64 thread,
		   struct fxt_text text)
{
	fxt_build(r, FXT_KIND_LOG, ns);
	r->thread.process = process;
	r->thread.thread = thread;
	r->text = text;
}

static int arg_add(struct fxt_record *r, struct fxt_text name, struct fxt_arg arg)
{
	if (r->arg_count == FXT_ARGS_MAX)
		return -E2BIG;
	arg.name = cut(r, name);
	if (arg.type == FXT_ARG_STRING)
		arg.string = cut(r, arg.string);
	r->args[r->arg_count++] = arg;
	return 0;
}

int fxt_build_arg_int(struct fxt_record *r, struct fxt_text name, __s64 value)
{
	if (value == (__s32)value)
		return arg_add(r, name, (struct fxt_arg){ .type = FXT_ARG_INT32, .int32 = value });
	return arg_add(r, name, (struct fxt_arg){ .type = FXT_ARG_INT64, .int64 = value });
}

int fxt_build_arg_uint(struct fxt_record *r, struct fxt_text name, __u64 value)
{
	if (value == (__u32)value)
		return arg_add(r, name, (struct fxt_arg){ .type = FXT_ARG_UINT32, .uint32 = value });
	return arg_add(r, name, (struct fxt_arg){ .type = FXT_ARG_UINT64, .uint64 = value });
}

#define BUILD_ARG(suffix, arg_type, c_type, member)					\
int fxt_build_arg_##suffix(struct fxt_record *r, struct fxt_text name, c_type value)	\
{											\
	return arg_add(r, name, (struct fxt_arg){ .type = arg_type, .member = value }); \
}
BUILD_ARG(double, FXT_ARG_DOUBLE, double, real)
BUILD_ARG(string, FXT_ARG_STRING, struct fxt_text, string)
BUILD_ARG(bool, FXT_ARG_BOOL, bool, boolean)
BUILD_ARG(koid, FXT_ARG_KOID, __u64, uint64)
BUILD_ARG(pointer, FXT_ARG_POINTER, __u64, uint64)

int fxt_build_arg_text(struct fxt_record *r, const char *name, struct fxt_text value)
{
	return value.length ? fxt_build_arg_string(r, fxt_build_string(name), value) : 0;
}

int fxt_build_arg_null(struct fxt_record *r, struct fxt_text name)
{
	return arg_add(r, name, (struct fxt_arg){ .type = FXT_ARG_NULL });
}

/* Adds "since" with 64 bits, whatever its value: readers look for that type. */
static void since_add(struct fxt_record *r, __u64 since)
{
	arg_add(r, fxt_build_string("since"),
		      (struct fxt_arg){ .type = FXT_ARG_UINT64, .uint64 = since });
}

void fxt_build_thread_name(struct fxt_record *r, __u64 thread, __u64 process,
			   struct fxt_text name, __u64 since)
{
	fxt_build(r, FXT_KIND_KERNEL_OBJECT, 0);
	r->object.type = FXT_OBJECT_THREAD;
	r->object.koid = thread;
	r->name = cut(r, name);
	fxt_build_arg_koid(r, fxt_build_string("process"), process);
	since_add(r, since);
}

void fxt_build_process_name(struct fxt_record *r, __u64 process, struct fxt_text name,
			    __u64 since)
{
	fxt_build(r, FXT_KIND_KERNEL_OBJECT, 0);
	r->object.type = FXT_OBJECT_PROCESS;
	r->object.koid = process;
	r->name = cut(r, name);
	since_add(r, since);
}
