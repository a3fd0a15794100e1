// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Decodes the fields of each kind of record. */
#include "codec/cursor.h"

/* Reads the timestamp of a record. */
static void decode_ticks(struct fxt_cursor *c, struct fxt_record *r)
{
	r->ticks = fxt_cursor_word(c, "ends before its timestamp");
	r->timed = true;
}

static void value_decode(struct fxt_cursor *c, struct fxt_arg *arg, __u64 header)
{
	static const char missing[] = "has an argument that ends before its value";
	__u32 high = fxt_field(header, 32, 63);

	switch (arg->type) {
	case FXT_ARG_NULL:
		break;
	case FXT_ARG_INT32:
	case FXT_ARG_UINT32:
		arg->uint32 = high;
		break;
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_DOUBLE:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		arg->uint64 = fxt_cursor_word(c, missing);
		break;
	case FXT_ARG_STRING:
		fxt_cursor_string(c, &arg->string, high & 0xffff, arg->at + 4, missing);
		break;
	case FXT_ARG_BOOL:
		arg->boolean = high & 1;
		break;
	case FXT_ARG_BLOB:
		arg->blob.data = fxt_cursor_bytes(c, high, missing);
		arg->blob.length = high;
		break;
	default:
		/* Only the size of an undefined type is known. */
		arg->blob.data = c->data + c->at;
		arg->blob.length = c->end - c->at;
		c->at = c->end;
	}
}

static void arg_decode(struct fxt_cursor *c, struct fxt_arg *arg)
{
	__u64 record_end = c->end, at = c->at;
	__u64 header = fxt_cursor_word(c, "ends before its last argument");

	arg->type = fxt_field(header, 0, 3);
	arg->words = fxt_field(header, 4, 15);
	arg->at = at;
	if (!arg->words)
		fxt_cursor_fail(c, at, "has an argument of size 0");
	if (8ULL * arg->words > record_end - at)
		fxt_cursor_fail(c, at, "ends inside an argument");
	if (c->fault)
		return;
	c->end = at + 8 * arg->words;
	fxt_cursor_string(c, &arg->name, fxt_field(header, 16, 31), at + 2, "has an argument that ends before its name");
	value_decode(c, arg, header);
	arg->used = (c->at - at) / 8;
	c->at = c->end;
	c->end = record_end;
}

static void decode_args(struct fxt_cursor *c, struct fxt_record *r, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count && i < FXT_ARGS_MAX && !c->fault; i++)
		arg_decode(c, &r->args[i]);
	r->arg_count = i;
}

/* Counts all bytes of an unknown record as used. */
static void decode_unknown(struct fxt_cursor *c, struct fxt_record *r)
{
	(void)c;
	r->used = 8 * r->frame.words;
}

static void decode_provider_info(struct fxt_cursor *c, struct fxt_record *r)
{
	r->of_provider.id = fxt_field(r->header, 20, 51);
	r->name = fxt_cursor_text(c, fxt_field(r->header, 52, 59), 6, "ends before its name");
}

/* Decodes a provider event, or a provider section, which has no event. */
static void decode_provider_event(struct fxt_cursor *c, struct fxt_record *r)
{
	(void)c;
	r->of_provider.id = fxt_field(r->header, 20, 51);
	r->of_provider.event = fxt_field(r->header, 52, 55);
}

static void decode_initialization(struct fxt_cursor *c, struct fxt_record *r)
{
	r->ticks_per_second = fxt_cursor_word(c, "ends before its ticks per second");
}

static void decode_string(struct fxt_cursor *c, struct fxt_record *r)
{
	r->index = fxt_field(r->header, 16, 30);
	r->text = fxt_cursor_text(c, fxt_field(r->header, 32, 46), 4, "ends before its string");
}

static void decode_thread(struct fxt_cursor *c, struct fxt_record *r)
{
	r->index = fxt_field(r->header, 16, 23);
	r->thread = fxt_cursor_thread(c, 0, 8);
}

static void decode_event(struct fxt_cursor *c, struct fxt_record *r)
{
	r->event.type = fxt_field(r->header, 16, 19);
	r->event.logged = r->event.unsettled = false;
	decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 24, 31), 3);
	fxt_cursor_string(c, &r->category, fxt_field(r->header, 32, 47), 4, "ends before its category");
	fxt_cursor_string(c, &r->name, fxt_field(r->header, 48, 63), 6, "ends before its name");
	decode_args(c, r, fxt_field(r->header, 20, 23));
	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_DURATION_END:
		break;
	case FXT_EVENT_DURATION_COMPLETE:
		r->event.end = fxt_cursor_word(c, "ends before its end time");
		break;
	case FXT_EVENT_COUNTER:
		r->event.id = fxt_cursor_word(c, "ends before its counter id");
		break;
	default:
		r->event.id = fxt_cursor_word(c, "ends before its correlation id");
	}
}

static void decode_log(struct fxt_cursor *c, struct fxt_record *r)
{
	decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 32, 39), 4);
	r->text = fxt_cursor_text(c, fxt_field(r->header, 16, 30), 2, "ends before its message");
}

static void decode_userspace_object(struct fxt_cursor *c, struct fxt_record *r)
{
	__u8 ref = fxt_field(r->header, 16, 23);

	r->pointer = fxt_cursor_word(c, "ends before its pointer");
	/* A reference names a thread; an inline userspace object has only the process. */
	r->thread = (struct fxt_thread_koids){ .at = 2, .ref = ref };
	if (ref)
		r->thread = fxt_cursor_thread(c, ref, 2);
	else
		r->thread.process = fxt_cursor_word(c, "ends before its process id");
	fxt_cursor_string(c, &r->name, fxt_field(r->header, 24, 39), 3, "ends before its name");
	decode_args(c, r, fxt_field(r->header, 40, 43));
}

static void decode_kernel_object(struct fxt_cursor *c, struct fxt_record *r)
{
	r->object.type = fxt_field(r->header, 16, 23);
	r->object.carried = false;
	r->object.koid = fxt_cursor_word(c, "ends before its koid");
	fxt_cursor_string(c, &r->name, fxt_field(r->header, 24, 39), 3, "ends before its name");
	decode_args(c, r, fxt_field(r->header, 40, 43));
}

static void decode_blob(struct fxt_cursor *c, struct fxt_record *r)
{
	__u32 length = fxt_field(r->header, 32, 46);

	r->blob_type = fxt_field(r->header, 48, 55);
	fxt_cursor_string(c, &r->name, fxt_field(r->header, 16, 31), 2, "ends before its name");
	r->payload.at = c->at;
	r->payload.data = fxt_cursor_bytes(c, length, "ends before its payload does");
	r->payload.length = length;
	r->payload.bytes = length;
}

static void payload_decode(struct fxt_cursor *c, struct fxt_record *r)
{
	__u64 at = c->at, size = 8 * r->frame.words, here;
	__u64 length = fxt_cursor_word(c, "ends before its blob size");

	if (c->fault)
		return;
	if (length > size - c->at) {
		fxt_cursor_fail(c, at, "has a blob size that is more than the record holds");
		return;
	}
	here = r->frame.bytes - c->at;
	r->payload = (struct fxt_payload){
		.at = c->at,
		.length = length,
		.data = c->data + c->at,
		.bytes = length < here ? length : here,
	};
	c->at += 8 * fxt_words(length);
}

static void decode_large_blob(struct fxt_cursor *c, struct fxt_record *r)
{
	__u64 format = fxt_cursor_word(c, "ends before its format header");

	r->large_format = fxt_field(r->header, 40, 43);
	fxt_cursor_string(c, &r->category, fxt_field(format, 0, 15), 8, "ends before its category");
	fxt_cursor_string(c, &r->name, fxt_field(format, 16, 31), 10, "ends before its name");
	if (r->large_format == FXT_LARGE_BLOB_WITH_METADATA) {
		decode_ticks(c, r);
		r->thread = fxt_cursor_thread(c, fxt_field(format, 36, 43), 12);
		decode_args(c, r, fxt_field(format, 32, 35));
	}
	payload_decode(c, r);
}

/* Reads a thread with only its koid. */
static struct fxt_thread_koids koid_decode(struct fxt_cursor *c, const char *missing)
{
	__u32 at = c->at;

	return (struct fxt_thread_koids){ .thread = fxt_cursor_word(c, missing), .at = at };
}

static void decode_context_switch(struct fxt_cursor *c, struct fxt_record *r)
{
	r->sched.cpu = fxt_field(r->header, 20, 35);
	r->sched.state = fxt_field(r->header, 36, 39);
	decode_ticks(c, r);
	r->sched.outgoing = koid_decode(c, "ends before its outgoing thread");
	r->sched.incoming = koid_decode(c, "ends before its incoming thread");
	decode_args(c, r, fxt_field(r->header, 16, 19));
}

static void decode_wakeup(struct fxt_cursor *c, struct fxt_record *r)
{
	r->sched.cpu = fxt_field(r->header, 20, 35);
	decode_ticks(c, r);
	r->sched.incoming = koid_decode(c, "ends before its waking thread");
	decode_args(c, r, fxt_field(r->header, 16, 19));
}

static void decode_legacy_switch(struct fxt_cursor *c, struct fxt_record *r)
{
	r->sched.cpu = fxt_field(r->header, 16, 23);
	r->sched.state = fxt_field(r->header, 24, 27);
	r->sched.outgoing_priority = fxt_field(r->header, 44, 51);
	r->sched.incoming_priority = fxt_field(r->header, 52, 59);
	decode_ticks(c, r);
	r->sched.outgoing = fxt_cursor_thread(c, fxt_field(r->header, 28, 35), 3);
	r->sched.incoming = fxt_cursor_thread(c, fxt_field(r->header, 36, 43), 4);
}

static struct fxt_bytes bytes_decode(struct fxt_cursor *c, __u32 length, const char *missing)
{
	return (struct fxt_bytes){ fxt_cursor_bytes(c, length, missing), length };
}

static void decode_module(struct fxt_cursor *c, struct fxt_record *r)
{
	r->module.id = fxt_field(r->header, 28, 43);
	decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 20, 27), 2);
	r->name = fxt_cursor_text(c, fxt_field(r->header, 44, 51), 5, "ends before its name");
	r->module.build_id = bytes_decode(c, fxt_field(r->header, 52, 59),
					  "ends before its build id");
}

static void decode_mmap(struct fxt_cursor *c, struct fxt_record *r)
{
	r->module.id = fxt_field(r->header, 28, 43);
	r->module.flags = fxt_field(r->header, 44, 46);
	decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 20, 27), 2);
	r->module.start = fxt_cursor_word(c, "ends before its start address");
	r->module.range = fxt_cursor_word(c, "ends before its address range");
	r->module.vaddr = fxt_cursor_word(c, "ends before its virtual address");
}

static void decode_backtrace(struct fxt_cursor *c, struct fxt_record *r)
{
	decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 20, 27), 2);
	r->backtrace = bytes_decode(c, 8 * fxt_field(r->header, 28, 35),
				    "ends before its backtrace does");
}

static void (*const decoders[FXT_KINDS])(struct fxt_cursor *, struct fxt_record *) = {
	[FXT_KIND_UNKNOWN] = decode_unknown,
	[FXT_KIND_PROVIDER_INFO] = decode_provider_info,
	[FXT_KIND_PROVIDER_SECTION] = decode_provider_event,
	[FXT_KIND_PROVIDER_EVENT] = decode_provider_event,
	[FXT_KIND_INITIALIZATION] = decode_initialization,
	[FXT_KIND_STRING] = decode_string,
	[FXT_KIND_THREAD] = decode_thread,
	[FXT_KIND_EVENT] = decode_event,
	[FXT_KIND_BLOB] = decode_blob,
	[FXT_KIND_USERSPACE_OBJECT] = decode_userspace_object,
	[FXT_KIND_KERNEL_OBJECT] = decode_kernel_object,
	[FXT_KIND_LEGACY_SWITCH] = decode_legacy_switch,
	[FXT_KIND_CONTEXT_SWITCH] = decode_context_switch,
	[FXT_KIND_WAKEUP] = decode_wakeup,
	[FXT_KIND_LOG] = decode_log,
	[FXT_KIND_MODULE] = decode_module,
	[FXT_KIND_MMAP] = decode_mmap,
	[FXT_KIND_BACKTRACE] = decode_backtrace,
	[FXT_KIND_LARGE_BLOB] = decode_large_blob,
};

void fxt_decode(struct fxt_cursor *c, struct fxt_record *r)
{
	if (decoders[r->kind])
		decoders[r->kind](c, r);
}
