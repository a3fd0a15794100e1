// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: names, objects and provider events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec/provider.h"
#include "formats/json/write.h"
#include "model/build.h"
#include "util/digits.h"

void fxt_json_metadata_begin(struct fxt_json_file *f, const char *what, __u64 process, __u64 thread)
{
	struct fxt_json_writer *w = &f->json;

	fxt_json_event_begin(f);
	fxt_json_put_word(w, "name", what);
	fxt_json_put_word(w, "ph", "M");
	fxt_json_put_thread(w, process, thread);
	fxt_json_key(w, "args");
	fxt_json_open(w, '{');
}

/* Writes an event's members, up to the name in args, which stay open. */
static void put_name(struct fxt_json_file *f, const char *what, __u64 process, __u64 thread,
		     const struct fxt_text *name)
{
	fxt_json_metadata_begin(f, what, process, thread);
	fxt_json_put_text(&f->json, "name", name);
}

static void kernel_object_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	static const char *const skip[] = { "process", "since", NULL };
	bool thread = r->object.type == FXT_OBJECT_THREAD;
	const struct fxt_object *known = thread ? fxt_objects_thread(&f->objects, r->object.koid) :
						  NULL;
	struct fxt_json_writer *w = &f->json;
	__u64 since;

	if (!thread && r->object.type != FXT_OBJECT_PROCESS) {
		fxt_note(&f->c->unheld, "kernel objects that are no threads or processes", 1);
		return;
	}
	put_name(f, thread ? "thread_name" : "process_name",
		 !thread ? r->object.koid : known ? known->process : 0,
		 r->object.koid, &r->name);
	fxt_json_put_args(w, r, skip);
	fxt_json_close(w, '}');
	fxt_json_put_types(w, r, skip);
	if (!fxt_arg_number(fxt_record_arg(r, "since"), &since) && since)
		fxt_json_put_number(w, FXT_JSON_SINCE, since);
	fxt_json_event_end(f);
}

/* Writes an object as a snapshot, which Trace Viewer shows, and its arguments also as args. */
static void userspace_object_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	struct fxt_arg pointer = { .type = FXT_ARG_POINTER, .uint64 = r->pointer };
	struct fxt_json_writer *w = &f->json;

	fxt_json_event_begin(f);
	fxt_json_put_text(w, "name", &r->name);
	fxt_json_put_word(w, "cat", "object");
	fxt_json_put_where(w, r, r->frame.offset, 'O');
	fxt_json_key(w, "id");
	fxt_json_put_value(w, &pointer);
	fxt_json_put_word(w, FXT_JSON_KIND, FXT_JSON_KIND_OBJECT);
	fxt_json_put_types(w, r, NULL);
	fxt_json_key(w, "args");
	fxt_json_open(w, '{');
	fxt_json_key(w, "snapshot");
	fxt_json_open(w, '{');
	fxt_json_put_args(w, r, NULL);
	fxt_json_close(w, '}');
	fxt_json_put_args(w, r, NULL);
	fxt_json_close(w, '}');
	fxt_json_event_end(f);
}

static void provider_event_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	const struct fxt_provider *p = fxt_sorter_provider_of(f->c->reading.sorter, r->of_provider.id);
	struct fxt_record no_thread = { .thread = { 0 } };
	struct fxt_json_writer *w = &f->json;
	struct fxt_text name;

	if (!p)
		p = r->provider;
	name = fxt_build_text(p->name, p->name_bytes);
	fxt_json_event_begin(f);
	fxt_json_put_word(w, "name", r->of_provider.event ? "provider event" : "buffer full");
	fxt_json_put_word(w, "cat", "fxtrec");
	fxt_json_put_where(w, &no_thread, r->frame.offset, 'i');
	fxt_json_put_word(w, "s", "g");
	fxt_json_put_word(w, FXT_JSON_KIND, FXT_JSON_KIND_PROVIDER);
	fxt_json_put_text(w, FXT_JSON_PROVIDER, &name);
	fxt_json_key(w, "args");
	fxt_json_open(w, '{');
	fxt_json_put_number(w, "event", r->of_provider.event);
	fxt_json_close(w, '}');
	fxt_json_event_end(f);
}

int fxt_json_object_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	if (r->kind == FXT_KIND_KERNEL_OBJECT)
		kernel_object_write(f, r);
	else if (r->kind == FXT_KIND_USERSPACE_OBJECT)
		userspace_object_write(f, r);
	else
		provider_event_write(f, r);
	return 0;
}

void fxt_json_thread_know(struct fxt_json_file *f, __u64 thread)
{
	if (thread < FXT_JSON_TIDS)
		f->known[thread / 64] |= 1ULL << thread % 64;
}

static void guess_write(struct fxt_json_file *f, __u64 process, __u64 thread, const struct fxt_text *name)
{
	put_name(f, "thread_name", process, thread, name);
	fxt_json_close(&f->json, '}');
	fxt_json_put_word(&f->json, FXT_JSON_KIND, FXT_JSON_KIND_GUESS);
	fxt_json_event_end(f);
}

int fxt_json_replaced_write(struct fxt_json_file *f, __u64 thread)
{
	__u64 pid = fxt_ftrace_pid(f->ftrace, thread), bit = pid % FXT_JSON_TIDS;
	const struct fxt_object *o;
	char text[32] = "thread ";
	struct fxt_text name;

	if (pid == thread)
		return 0;
	if (!f->replaced)
		f->replaced = calloc(FXT_JSON_TIDS / 64, sizeof(*f->replaced));
	if (!f->replaced)
		return -ENOMEM;
	if (f->replaced[bit / 64] & 1ULL << bit % 64)
		return 0;
	f->replaced[bit / 64] |= 1ULL << bit % 64;
	o = fxt_objects_thread(&f->objects, thread);
	name = o && o->named ? fxt_object_name(o) :
			       fxt_build_text(text, fxt_digits(text + 7, thread) - text);
	guess_write(f, o ? o->process : 0, pid, &name);
	return f->events->err;
}

/* Writes synthetic names, as Trace Viewer shows a thread of ftrace's text only if an event names it. */
void fxt_json_guesses_write(struct fxt_json_file *f)
{
	char text[32] = "thread ";
	unsigned int i;
	__u64 bits;

	for (i = 0; i < FXT_JSON_TIDS / 64; i++)
		for (bits = f->scheduled[i] & ~f->known[i]; bits; bits &= bits - 1) {
			__u64 thread = 64ULL * i + __builtin_ctzll(bits);
			const struct fxt_object *o = fxt_objects_thread(&f->objects, thread);
			struct fxt_text name;

			if (!thread || (o && o->named))
				continue;
			name = fxt_build_text(text, fxt_digits(text + 7, thread) - text);
			guess_write(f, o && o->process ? o->process : thread, thread, &name);
			if (f->c->fuchsia)
				fxt_json_fuchsia_thread_write(f, thread, &name);
		}
}

static int names_replay(struct fxt_json_file *f, const struct fxt_object_map *map, bool threads)
{
	static struct fxt_record r;
	const struct fxt_object *o = NULL;
	int err = 0;

	while (!err && (o = fxt_objects_next(map, o))) {
		struct fxt_text name = fxt_object_name(o);

		if (threads)
			fxt_build_thread_name(&r, o->koid, o->process, name, 0);
		else
			fxt_build_process_name(&r, o->koid, name, 0);
		err = fxt_ftrace_put(f->ftrace, &r);
	}
	return err;
}

int fxt_json_names_replay(struct fxt_json_file *f)
{
	int err = names_replay(f, &f->objects.processes, false);

	return err ? err : names_replay(f, &f->objects.threads, true);
}
