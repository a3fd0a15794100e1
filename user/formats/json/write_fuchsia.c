// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: scheduling as the system's events of Fuchsia, in place of ftrace's text. */
#include "formats/json/write.h"
#include "model/reason_text.h"

static void event_begin(struct fxt_json_file *f, const char *phase)
{
	if (f->system_filled)
		fxt_out_text(f->system, ",\n");
	f->system_filled = true;
	fxt_json_open(&f->json, '{');
	fxt_json_put_word(&f->json, "ph", phase);
}

static int event_end(struct fxt_json_file *f)
{
	fxt_json_close(&f->json, '}');
	fxt_json_flush(&f->json, f->system);
	return f->system->err;
}

static void put_signed(struct fxt_json_writer *w, const char *key, __s64 number)
{
	fxt_json_key(w, key);
	fxt_json_signed(w, number);
}

static __u64 process_of(const struct fxt_json_file *f, __u64 thread)
{
	const struct fxt_object *known = thread ? fxt_objects_thread(&f->objects, thread) : NULL;

	return known ? known->process : 0;
}

/* Writes a thread.  Trace Viewer recognizes an idle thread by priority 0 in process 0. */
static void put_thread(struct fxt_json_file *f, __u64 thread, __s32 prio)
{
	__u64 process = process_of(f, thread);

	if (process || !thread)
		fxt_json_put_number(&f->json, "pid", process);
	fxt_json_put_number(&f->json, "tid", thread);
	put_signed(&f->json, "prio", thread ? prio : 0);
}

static void put_where(struct fxt_json_file *f, const struct fxt_record *r, __u32 cpu)
{
	fxt_json_key(&f->json, "ts");
	fxt_json_put_us(&f->json, r->ticks);
	fxt_json_put_number(&f->json, "cpu", cpu);
}

static int switch_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	char reason[FXT_REASON_TEXT_BYTES];
	struct fxt_switch_view v;

	fxt_switch_view_get(&v, r);
	event_begin(f, "k");
	put_where(f, r, v.cpu);
	if (v.unchosen)
		fxt_json_put_word(&f->json, FXT_JSON_UNCHOSEN, fxt_switch_view_unchosen(&v));
	if (v.reason.bits) {
		fxt_reason_text(reason, &v.reason);
		fxt_json_put_word(&f->json, FXT_JSON_REASON, reason);
	}
	fxt_json_key(&f->json, "out");
	fxt_json_open(&f->json, '{');
	put_thread(f, v.prev, v.prev_prio);
	fxt_json_put_number(&f->json, "state", fxt_linux_state_fxt(v.state));
	fxt_json_put_word(&f->json, FXT_JSON_STATE, fxt_switch_view_letters(&v));
	fxt_json_close(&f->json, '}');
	fxt_json_key(&f->json, "in");
	fxt_json_open(&f->json, '{');
	put_thread(f, v.next, v.next_prio);
	fxt_json_close(&f->json, '}');
	return event_end(f);
}

static int wakeup_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	struct fxt_wakeup_view v;

	fxt_wakeup_view_get(&v, r);
	event_begin(f, "w");
	put_where(f, r, v.cpu);
	put_thread(f, v.thread, v.prio);
	fxt_json_put_number(&f->json, FXT_JSON_TARGET, v.target);
	if (v.waker_known)
		fxt_json_put_number(&f->json, FXT_JSON_WAKER, v.waker);
	if (v.new)
		fxt_json_put_number(&f->json, FXT_JSON_NEW, 1);
	if (v.on_cpu)
		fxt_json_put_number(&f->json, FXT_JSON_ON_CPU, 1);
	if (v.context != FXT_CONTEXT_TASK)
		fxt_json_put_word(&f->json, FXT_JSON_CONTEXT, fxt_context_name(v.context));
	return event_end(f);
}

static int name_write(struct fxt_json_file *f, bool thread, __u64 koid, __u64 process,
		      const struct fxt_text *name)
{
	event_begin(f, thread ? "t" : "p");
	fxt_json_put_number(&f->json, "pid", thread ? process : koid);
	if (thread)
		fxt_json_put_number(&f->json, "tid", koid);
	fxt_json_put_text(&f->json, "name", name);
	return event_end(f);
}

int fxt_json_fuchsia_thread_write(struct fxt_json_file *f, __u64 thread, const struct fxt_text *name)
{
	return f->system ? name_write(f, true, thread, process_of(f, thread), name) : 0;
}

static int names_replay(struct fxt_json_file *f, const struct fxt_object_map *map, bool threads)
{
	const struct fxt_object *o = NULL;
	int err = 0;

	while (!err && (o = fxt_objects_next(map, o))) {
		struct fxt_text name = fxt_object_name(o);

		err = name_write(f, threads, o->koid, o->process, &name);
	}
	return err;
}

static int begin(struct fxt_json_file *f)
{
	int err = 0;

	f->system = f->events == f->out ? fxt_side_open(&f->c->spool, &err) : f->out;
	if (!f->system)
		return err;
	if (f->system == f->out)
		fxt_out_text(f->out, FXT_JSON_FUCHSIA);
	err = names_replay(f, &f->objects.processes, false);
	return err ? err : names_replay(f, &f->objects.threads, true);
}

int fxt_json_fuchsia_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	int err;

	if (r->kind == FXT_KIND_KERNEL_OBJECT)
		return !f->system ? 0 : name_write(f, r->object.type == FXT_OBJECT_THREAD, r->object.koid,
						   process_of(f, r->object.koid), &r->name);
	err = f->system ? 0 : begin(f);
	if (err)
		return err;
	return r->kind == FXT_KIND_WAKEUP ? wakeup_write(f, r) : switch_write(f, r);
}
