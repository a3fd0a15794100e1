// SPDX-License-Identifier: GPL-2.0-only
/* Records as text: the fields of each kind. */
#include "codec/kind.h"
#include "show/dump.h"
#include "show/print.h"

#define PAYLOAD_SHOWN	32u	/* bytes */

/* Prints " name=KOID name_name=NAME", or the reference where the object is unknown. */
static void object_put(struct fxt_dump *dump, const char *name,
		       const struct fxt_thread_koids *thread, __u64 koid,
		       const struct fxt_object *object)
{
	struct fxt_text text;

	if (thread->unknown) {
		fprintf(dump->out, " %s=?%u", name, thread->ref);
		return;
	}
	fxt_dump_u64(dump, name, koid);
	if (!object || !object->named)
		return;
	putc_unlocked(' ', dump->out);
	fputs_unlocked(name, dump->out);
	fputs_unlocked("_name=", dump->out);
	text = fxt_object_name(object);
	fxt_print_quoted(dump->out, text.bytes, text.length);
}

/* Prints a thread of a scheduling record, with koid and name; of a legacy record with its process, too. */
static void scheduled_put(struct fxt_dump *dump, const char *name,
			  const struct fxt_thread_koids *thread)
{
	object_put(dump, name, thread, thread->thread,
		   fxt_objects_thread(&dump->objects, thread->thread));
}

static void thread_put(struct fxt_dump *dump, const struct fxt_thread_koids *thread)
{
	if (!thread->unknown)
		fxt_dump_u64(dump, "process", thread->process);
	scheduled_put(dump, "thread", thread);
}

static void process_put(struct fxt_dump *dump, const struct fxt_thread_koids *thread)
{
	object_put(dump, "process", thread, thread->process,
		   fxt_objects_process(&dump->objects, thread->process));
}

static void event_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	thread_put(dump, &r->thread);
	fxt_dump_text(dump, "category", &r->category);
	fxt_dump_text(dump, "name", &r->name);
	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_DURATION_END:
		break;
	case FXT_EVENT_DURATION_COMPLETE:
		fxt_dump_u64(dump, "end_ticks", r->event.end);
		break;
	default:
		fxt_dump_u64(dump, "id", r->event.id);
	}
}

static void state_put(struct fxt_dump *dump, unsigned int state)
{
	const char *name = fxt_state_name(state);

	fputs_unlocked(" state=", dump->out);
	if (name)
		fputs_unlocked(name, dump->out);
	else
		fxt_print_u64(dump->out, state);
}

static void switch_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	bool legacy = r->kind == FXT_KIND_LEGACY_SWITCH;

	fxt_dump_u64(dump, "cpu", r->sched.cpu);
	scheduled_put(dump, "outgoing", &r->sched.outgoing);
	if (legacy && !r->sched.outgoing.unknown)
		fxt_dump_u64(dump, "outgoing_process", r->sched.outgoing.process);
	if (legacy)
		fxt_dump_u64(dump, "outgoing_priority", r->sched.outgoing_priority);
	state_put(dump, r->sched.state);
	scheduled_put(dump, "incoming", &r->sched.incoming);
	if (legacy && !r->sched.incoming.unknown)
		fxt_dump_u64(dump, "incoming_process", r->sched.incoming.process);
	if (legacy)
		fxt_dump_u64(dump, "incoming_priority", r->sched.incoming_priority);
}

static void blob_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	fxt_dump_text(dump, "name", &r->name);
	if (r->kind == FXT_KIND_BLOB)
		fxt_dump_u64(dump, "type", r->blob_type);
	fxt_dump_u64(dump, "bytes", r->payload.length);
	fxt_dump_bytes(dump, "payload", r->payload.data, r->payload.length,
		       r->payload.bytes < PAYLOAD_SHOWN ? r->payload.bytes : PAYLOAD_SHOWN);
}

static void large_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	if (r->timed)
		thread_put(dump, &r->thread);
	fxt_dump_text(dump, "category", &r->category);
	blob_put(dump, r);
}

static void profiler_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	__u64 i;

	thread_put(dump, &r->thread);
	switch (r->kind) {
	case FXT_KIND_MODULE:
		fxt_dump_u64(dump, "module", r->module.id);
		fxt_dump_text(dump, "name", &r->name);
		fxt_dump_bytes(dump, "build_id", r->module.build_id.data,
			       r->module.build_id.length, r->module.build_id.length);
		break;
	case FXT_KIND_MMAP:
		fxt_dump_u64(dump, "module", r->module.id);
		fxt_dump_hex(dump, "flags", r->module.flags);
		fxt_dump_hex(dump, "start", r->module.start);
		fxt_dump_hex(dump, "range", r->module.range);
		fxt_dump_hex(dump, "vaddr", r->module.vaddr);
		break;
	default:
		fputs_unlocked(" frames=", dump->out);
		for (i = 0; i < r->backtrace.length; i += 8) {
			if (i)
				putc_unlocked(',', dump->out);
			fxt_print_hex(dump->out, fxt_frame_word(r->backtrace.data + i), 1);
		}
	}
}

static void provider_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	fxt_dump_u64(dump, "id", r->of_provider.id);
	if (r->kind == FXT_KIND_PROVIDER_INFO)
		fxt_dump_text(dump, "name", &r->name);
	if (r->kind == FXT_KIND_PROVIDER_EVENT)
		fxt_dump_u64(dump, "event", r->of_provider.event);
	if (r->kind == FXT_KIND_PROVIDER_EVENT && !r->of_provider.event)
		fputs_unlocked(" buffer-full", dump->out);
}

static void unknown_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	fxt_dump_u64(dump, "type", fxt_field(r->header, 0, 3));
	fxt_dump_u64(dump, "words", r->frame.words);
	fxt_dump_hex(dump, "header", r->header);
	if (r->kind != FXT_KIND_MALFORMED)
		return;
	fputs_unlocked(" kind=", dump->out);
	fputs_unlocked(fxt_kind_name(r->fault.kind), dump->out);
	fputs_unlocked(" fault=\"", dump->out);
	fputs_unlocked(r->fault.text, dump->out);
	fputs_unlocked("\" at=", dump->out);
	fxt_print_hex(dump->out, r->fault.offset, 8);
}

static void initialization_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	fxt_dump_u64(dump, "ticks_per_second", r->ticks_per_second);
}

static void index_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	fxt_dump_u64(dump, "index", r->index);
	if (r->kind == FXT_KIND_STRING)
		fxt_dump_text(dump, "string", &r->text);
	else
		thread_put(dump, &r->thread);
}

static void userspace_object_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	process_put(dump, &r->thread);
	fxt_dump_hex(dump, "pointer", r->pointer);
	fxt_dump_text(dump, "name", &r->name);
}

static void kernel_object_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	fxt_dump_u64(dump, "koid", r->object.koid);
	fxt_dump_u64(dump, "type", r->object.type);
	fxt_dump_text(dump, "name", &r->name);
}

static void wakeup_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	fxt_dump_u64(dump, "cpu", r->sched.cpu);
	scheduled_put(dump, "thread", &r->sched.incoming);
}

static void log_put(struct fxt_dump *dump, const struct fxt_record *r)
{
	thread_put(dump, &r->thread);
	fxt_dump_text(dump, "message", &r->text);
}

static void (*const put[FXT_KINDS])(struct fxt_dump *dump, const struct fxt_record *r) = {
	[FXT_KIND_MALFORMED] = unknown_put,
	[FXT_KIND_UNKNOWN] = unknown_put,
	[FXT_KIND_PROVIDER_INFO] = provider_put,
	[FXT_KIND_PROVIDER_SECTION] = provider_put,
	[FXT_KIND_PROVIDER_EVENT] = provider_put,
	[FXT_KIND_INITIALIZATION] = initialization_put,
	[FXT_KIND_STRING] = index_put,
	[FXT_KIND_THREAD] = index_put,
	[FXT_KIND_EVENT] = event_put,
	[FXT_KIND_BLOB] = blob_put,
	[FXT_KIND_USERSPACE_OBJECT] = userspace_object_put,
	[FXT_KIND_KERNEL_OBJECT] = kernel_object_put,
	[FXT_KIND_LEGACY_SWITCH] = switch_put,
	[FXT_KIND_CONTEXT_SWITCH] = switch_put,
	[FXT_KIND_WAKEUP] = wakeup_put,
	[FXT_KIND_LOG] = log_put,
	[FXT_KIND_MODULE] = profiler_put,
	[FXT_KIND_MMAP] = profiler_put,
	[FXT_KIND_BACKTRACE] = profiler_put,
	[FXT_KIND_LARGE_BLOB] = large_put,
};

void fxt_dump_fields(struct fxt_dump *dump, const struct fxt_record *r)
{
	if (put[r->kind])
		put[r->kind](dump, r);
}
