// SPDX-License-Identifier: GPL-2.0-only
/* Writes the Trace Event Format, as an object or as an array of events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stages/pairing.h"
#include "formats/json/write.h"
#include "model/cpu.h"
#include "model/sched_view.h"

/* Limit of the events before the first scheduling record: with more bytes, they go straight to the output. */
#define EVENTS_BYTES	((__u64)4 << 20)

/* Bytes of output per byte of FXT, estimated. */
#define GROWTH	3u

static void file_free(struct fxt_json_file *f)
{
	unsigned int i;

	if (f->events != f->out)
		fxt_side_close(f->events);
	if (f->system != f->out)
		fxt_side_close(f->system);
	for (i = 0; i < f->member_count; i++) {
		fxt_side_close(f->members[i].side);
		free(f->members[i].name);
	}
	fxt_json_rows_free(f);
	fxt_objects_uninit(&f->objects);
	fxt_buffer_uninit(&f->text);
	fxt_buffer_uninit(&f->counter_types);
	fxt_buffer_uninit(&f->json.text);
	free(f->scheduled);
	free(f->known);
	free(f->replaced);
	free(f);
}

static void *open_any(struct fxt_conversion *c, struct fxt_out *out, bool array)
{
	struct fxt_json_file *f = calloc(1, sizeof(*f));
	int err = 0;

	if (!f)
		return NULL;
	f->c = c;
	f->out = out;
	f->array = array;
	fxt_objects_init(&f->objects, &c->spill);
	f->scheduled = calloc(FXT_JSON_TIDS / 64, sizeof(*f->scheduled));
	f->known = calloc(FXT_JSON_TIDS / 64, sizeof(*f->known));
	f->events = array ? out : fxt_side_open(&f->c->spool, &err);
	if (!f->scheduled || !f->known || !f->events) {
		file_free(f);
		return NULL;
	}
	/* A line of its own, as Trace Viewer looks for ftrace's text in the first line. */
	fxt_out_text(out, array ? "[\n" : "{\n\"" FXT_JSON_OURS "\":\"" FXT_VERSION "\",\n");
	return f;
}

static void *json_open(struct fxt_conversion *c, struct fxt_out *out)
{
	return open_any(c, out, false);
}

static void *array_open(struct fxt_conversion *c, struct fxt_out *out)
{
	return open_any(c, out, true);
}

/* Switches to writing events straight to the output, if it is free and the events are many. */
static int events_lead(struct fxt_json_file *f)
{
	struct fxt_out *side = f->events;
	int err;

	if (side == f->out || f->system || side->bytes < EVENTS_BYTES)
		return 0;
	fxt_out_text(f->out, "\"traceEvents\":[\n");
	err = fxt_side_copy(side, f->out);
	f->events = f->out;
	fxt_side_close(side);
	return err;
}

static int system_open(struct fxt_json_file *f)
{
	int err = 0;

	f->system = f->events == f->out ? fxt_side_open(&f->c->spool, &err) : f->out;
	if (!f->system)
		return err;
	if (f->system == f->out)
		fxt_out_text(f->out, "\"systemTraceEvents\":\"");
	f->ftrace = fxt_ftrace_open(f->c, f->system, FXT_FTRACE_CLASSIC | FXT_FTRACE_IN_JSON);
	if (!f->ftrace)
		return -ENOMEM;
	return fxt_json_names_replay(f);
}

static int scheduled_mark(struct fxt_json_file *f, __u64 thread)
{
	const struct fxt_object *o;

	if (thread < FXT_JSON_TIDS && !(f->scheduled[thread / 64] & 1ULL << thread % 64)) {
		f->scheduled[thread / 64] |= 1ULL << thread % 64;
		o = fxt_objects_thread(&f->objects, thread);
		f->guesses += !o || !o->named;
	}
	return f->ftrace ? fxt_json_replaced_write(f, thread) : 0;
}

static int scheduled_know(struct fxt_json_file *f, const struct fxt_record *r)
{
	struct fxt_switch_view change;
	struct fxt_wakeup_view wakeup;
	int err;

	if (r->kind == FXT_KIND_WAKEUP) {
		fxt_wakeup_view_get(&wakeup, r);
		return scheduled_mark(f, wakeup.thread);
	}
	fxt_switch_view_get(&change, r);
	err = scheduled_mark(f, change.prev);
	return err ? err : scheduled_mark(f, change.next);
}

/* Writes a line of ftrace's text; moved: the thread of a migration. */
static int sched_put(struct fxt_json_file *f, const struct fxt_record *r, __u64 moved)
{
	int err = 0;

	if (f->array)
		return fxt_json_rows_write(f, r);
	if (!f->ftrace && !f->c->fuchsia)
		err = system_open(f);
	if (!err)
		err = r->kind == FXT_KIND_EVENT ? scheduled_mark(f, moved) : scheduled_know(f, r);
	if (err)
		return err;
	err = f->c->fuchsia ? fxt_json_fuchsia_write(f, r) : fxt_ftrace_put(f->ftrace, r);
	return err ? err : f->system->err;
}

static int names_put(struct fxt_json_file *f, const struct fxt_record *r)
{
	int err = fxt_objects_add(&f->objects, r);

	if (!err && f->ftrace)
		err = fxt_ftrace_put(f->ftrace, r);
	if (!err && f->c->fuchsia && !f->array &&
	    (r->object.type == FXT_OBJECT_THREAD || r->object.type == FXT_OBJECT_PROCESS))
		err = fxt_json_fuchsia_write(f, r);
	return err ? err : fxt_json_object_write(f, r);
}

static const char *const unheld[FXT_KINDS] = {
	[FXT_KIND_MODULE] = "profiler's modules",
	[FXT_KIND_MMAP] = "profiler's mappings",
	[FXT_KIND_BACKTRACE] = "profiler's backtraces",
	[FXT_KIND_LARGE_BLOB] = "large blobs",
};

/* Notes a loss: the CPU's ring was full, and its threads are unknown from then on. */
static void lost(struct fxt_json_file *f, const struct fxt_record *r)
{
	__u32 cpu;

	if (f->array && !fxt_provider_cpu(r->provider, &cpu))
		fxt_json_rows_lost(f, cpu, r->frame.offset);
}

static int put(struct fxt_json_file *f, const struct fxt_record *r)
{
	struct fxt_migrate_view migration;

	switch (r->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_LEGACY_SWITCH:
	case FXT_KIND_WAKEUP:
		return sched_put(f, r, 0);
	case FXT_KIND_EVENT:
		if (!f->array && !f->c->fuchsia && !fxt_migrate_view_get(&migration, r))
			return sched_put(f, r, migration.thread);
		if (r->event.type >= FXT_EVENT_FLOW_BEGIN && fxt_record_arg(r, FXT_TRACK_ID_ARG)) {
			fxt_note(&f->c->unheld, "flows of operations, which have no thread", 1);
			return 0;
		}
		if (r->event.logged && !fxt_pairing_message(r))
			return fxt_json_kind_write(f, r, FXT_JSON_KIND_LOGGED, 'i', &r->name);
		return fxt_json_event_write(f, r);
	case FXT_KIND_KERNEL_OBJECT:
		return names_put(f, r);
	case FXT_KIND_PROVIDER_EVENT:
		lost(f, r);
		return fxt_json_object_write(f, r);
	case FXT_KIND_USERSPACE_OBJECT:
		return fxt_json_object_write(f, r);
	case FXT_KIND_BLOB:
		return fxt_json_blob_write(f, r);
	case FXT_KIND_LOG:
		return fxt_json_kind_write(f, r, FXT_JSON_KIND_LOG, 'i', &r->text);
	default:
		fxt_note(&f->c->unheld, unheld[r->kind] ? unheld[r->kind] : "unknown records", 1);
		return 0;
	}
}

static int json_put(void *state, const struct fxt_record *r)
{
	struct fxt_json_file *f = state;
	int err;

	if (r->kind != FXT_KIND_EVENT || r->event.type != FXT_EVENT_COUNTER)
		fxt_json_counter_end(f);
	err = put(f, r);
	if (!err && f->events != f->out)
		err = events_lead(f);
	return err ? err : f->out->err ? f->out->err : f->events->err;
}

static int member_end(struct fxt_json_file *f, struct fxt_out *side, const char *open,
		      const char *close)
{
	int err = 0;

	/* Events that went straight to the output are there already. */
	if (side != f->out) {
		fxt_out_text(f->out, open);
		err = fxt_side_copy(side, f->out);
	}
	fxt_out_text(f->out, close);
	return err;
}

static int object_finish(struct fxt_json_file *f)
{
	bool events_first = f->events == f->out;
	int err = 0;

	if (f->ftrace)
		err = fxt_ftrace_close(f->ftrace, false);
	f->ftrace = NULL;
	if (!err && events_first)
		err = member_end(f, f->events, "", "\n],\n");
	if (!err && f->system)
		err = f->c->fuchsia ? member_end(f, f->system, FXT_JSON_FUCHSIA, "\n]},\n") :
		      member_end(f, f->system, "\"systemTraceEvents\":\"", "\",\n");
	if (!err && !events_first)
		err = member_end(f, f->events, "\"traceEvents\":[\n", "\n],\n");
	return err ? err : fxt_json_members_write(f);
}

static int finish(struct fxt_json_file *f)
{
	int err;

	fxt_json_next_drop(f);
	fxt_json_counter_end(f);
	if (f->array) {
		fxt_json_rows_end(f);
		fxt_out_text(f->out, "\n]\n");
		return 0;
	}
	fxt_json_guesses_write(f);
	err = object_finish(f);
	fxt_out_text(f->out, "\n}\n");
	return err;
}

static int json_close(void *state, bool failed)
{
	struct fxt_json_file *f = state;
	int err = 0;

	if (!failed)
		err = finish(f);
	if (f->ftrace)
		fxt_ftrace_close(f->ftrace, true);
	file_free(f);
	return err;
}

const struct fxt_format_writer fxt_writer_json = {
	.open = json_open,
	.put = json_put,
	.close = json_close,
	.held = fxt_json_held,
	.growth = GROWTH,
};

const struct fxt_format_writer fxt_writer_json_array = {
	.open = array_open,
	.put = json_put,
	.close = json_close,
	.held = fxt_json_held,
	.growth = GROWTH,
};
