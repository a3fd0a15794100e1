// SPDX-License-Identifier: GPL-2.0-only
/* Records built field by field. */
#include <errno.h>
#include <string.h>

#include "model/build.h"

struct fxt_text fxt_build_string(const char *text)
{
	return fxt_build_text(text, strlen(text));
}

void fxt_build(struct fxt_record *r, enum fxt_kind kind, __u64 ns)
{
	/* All but the arguments, which arg_count says are not there. */
	memset(r, 0, offsetof(struct fxt_record, args));
	memset(&r->payload, 0, sizeof(*r) - offsetof(struct fxt_record, payload));
	r->kind = kind;
	r->timed = kind != FXT_KIND_KERNEL_OBJECT && kind != FXT_KIND_USERSPACE_OBJECT &&
		   kind != FXT_KIND_BLOB;
	r->ticks = ns;
}

static struct fxt_text cut(struct fxt_text text)
{
	if (text.length > FXT_STRING_BYTES_MAX)
		text.length = FXT_STRING_BYTES_MAX;
	/* Not inside a character. */
	while (text.length == FXT_STRING_BYTES_MAX && text.length &&
	       ((__u8)text.bytes[text.length] & 0xc0) == 0x80)
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
	r->category = cut(category);
	r->name = cut(name);
}

void fxt_build_log(struct fxt_record *r, __u64 ns, __u64 process, __u64 thread,
		   struct fxt_text text)
{
	fxt_build(r, FXT_KIND_LOG, ns);
	r->thread.process = process;
	r->thread.thread = thread;
	r->text = text;
}

static struct fxt_arg *arg_add(struct fxt_record *r, enum fxt_argument_type type,
			       struct fxt_text name)
{
	struct fxt_arg *arg;

	if (r->arg_count == FXT_ARGS_MAX)
		return NULL;
	arg = &r->args[r->arg_count++];
	*arg = (struct fxt_arg){ .type = type, .name = cut(name) };
	return arg;
}

int fxt_build_arg_int(struct fxt_record *r, struct fxt_text name, __s64 value)
{
	bool narrow = value == (__s32)value;
	struct fxt_arg *arg = arg_add(r, narrow ? FXT_ARG_INT32 : FXT_ARG_INT64, name);

	if (!arg)
		return -E2BIG;
	if (narrow)
		arg->int32 = value;
	else
		arg->int64 = value;
	return 0;
}

int fxt_build_arg_uint(struct fxt_record *r, struct fxt_text name, __u64 value)
{
	bool narrow = value == (__u32)value;
	struct fxt_arg *arg = arg_add(r, narrow ? FXT_ARG_UINT32 : FXT_ARG_UINT64, name);

	if (!arg)
		return -E2BIG;
	if (narrow)
		arg->uint32 = value;
	else
		arg->uint64 = value;
	return 0;
}

int fxt_build_arg_double(struct fxt_record *r, struct fxt_text name, double value)
{
	struct fxt_arg *arg = arg_add(r, FXT_ARG_DOUBLE, name);

	if (!arg)
		return -E2BIG;
	arg->real = value;
	return 0;
}

int fxt_build_arg_string(struct fxt_record *r, struct fxt_text name, struct fxt_text value)
{
	struct fxt_arg *arg = arg_add(r, FXT_ARG_STRING, name);

	if (!arg)
		return -E2BIG;
	arg->string = cut(value);
	return 0;
}

int fxt_build_arg_bool(struct fxt_record *r, struct fxt_text name, bool value)
{
	struct fxt_arg *arg = arg_add(r, FXT_ARG_BOOL, name);

	if (!arg)
		return -E2BIG;
	arg->boolean = value;
	return 0;
}

int fxt_build_arg_null(struct fxt_record *r, struct fxt_text name)
{
	return arg_add(r, FXT_ARG_NULL, name) ? 0 : -E2BIG;
}

int fxt_build_arg_koid(struct fxt_record *r, struct fxt_text name, __u64 koid)
{
	struct fxt_arg *arg = arg_add(r, FXT_ARG_KOID, name);

	if (!arg)
		return -E2BIG;
	arg->uint64 = koid;
	return 0;
}

int fxt_build_arg_pointer(struct fxt_record *r, struct fxt_text name, __u64 pointer)
{
	struct fxt_arg *arg = arg_add(r, FXT_ARG_POINTER, name);

	if (!arg)
		return -E2BIG;
	arg->uint64 = pointer;
	return 0;
}

/* "since" is of 64 bits whatever its value: readers look for it by its type. */
static void since_add(struct fxt_record *r, __u64 since)
{
	arg_add(r, FXT_ARG_UINT64, fxt_build_string("since"))->uint64 = since;
}

void fxt_build_thread_name(struct fxt_record *r, __u64 thread, __u64 process,
			   struct fxt_text name, __u64 since)
{
	fxt_build(r, FXT_KIND_KERNEL_OBJECT, 0);
	r->object.type = FXT_OBJECT_THREAD;
	r->object.koid = thread;
	r->name = cut(name);
	fxt_build_arg_koid(r, fxt_build_string("process"), process);
	since_add(r, since);
}

void fxt_build_process_name(struct fxt_record *r, __u64 process, struct fxt_text name,
			    __u64 since)
{
	fxt_build(r, FXT_KIND_KERNEL_OBJECT, 0);
	r->object.type = FXT_OBJECT_PROCESS;
	r->object.koid = process;
	r->name = cut(name);
	since_add(r, since);
}
