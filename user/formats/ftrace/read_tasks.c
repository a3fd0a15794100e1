// SPDX-License-Identifier: GPL-2.0-only
/* The threads of ftrace's text: names by time, and processes. */
#include <errno.h>
#include <string.h>

#include "formats/ftrace/read.h"

static struct fxt_ftrace_task *task_new(struct fxt_ftrace_parser *p, __u32 tid)
{
	struct fxt_ftrace_task *t = fxt_map_new(&p->tasks, tid, sizeof(*t));

	if (!t)
		return NULL;
	t->tid = tid;
	if (p->last)
		p->last->next = t;
	else
		p->first = t;
	p->last = t;
	t->process_known = !tid;
	return t;
}

struct fxt_ftrace_task *fxt_ftrace_task(struct fxt_ftrace_parser *p, __u32 tid)
{
	size_t i = tid % (sizeof(p->recent) / sizeof(p->recent[0]));
	struct fxt_ftrace_task *t = p->recent[i].task;

	if (t && p->recent[i].tid == tid) {
	} else {
		t = fxt_map_get(&p->tasks, tid);
		if (!t)
			t = task_new(p, tid);
		if (!t)
			return NULL;
		p->recent[i].tid = tid;
		p->recent[i].task = t;
	}
	return t;
}

/* Puts the kernel object records of a thread. */
static int name_records_put(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	struct fxt_text name = fxt_build_text(t->name, t->name_bytes);
	__u32 process = fxt_ftrace_process_of(t);
	int err = 0;

	t->name_put = true;
	if (p->nameless)
		return 0;
	if (process == t->tid) {
		fxt_build_process_name(&p->r, process, name, t->since);
		err = fxt_ftrace_put_at(p, t->since, p->provider);
	}
	if (err)
		return err;
	fxt_build_thread_name(&p->r, t->tid, process, name, t->since);
	return fxt_ftrace_put_at(p, t->since, p->provider);
}

__u32 fxt_ftrace_process_of(struct fxt_ftrace_task *t)
{
	t->process_used = true;
	if (!t->process_known)
		t->process = t->tid;
	return t->process;
}

int fxt_ftrace_task_process(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, __u32 process,
			    __u64 ns)
{
	if ((t->process_known && t->process == process) || !t->tid)
		return 0;
	if (t->process_used && t->process != process && t->name_bytes) {
		/* Another thread of the same id, or one with records of a default process. */
		t->since = fxt_ftrace_since(ns);
		t->name_put = false;
	}
	t->process = process;
	t->process_known = true;
	return t->name_bytes && !t->name_put ? name_records_put(p, t) : 0;
}

/* A name has at most 255 bytes, and room for 15, as most have. */
static int name_set(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, struct fxt_span name)
{
	if (name.bytes > t->name_room) {
		t->name_room = name.bytes <= 15 ? 15 : 255;
		t->name = fxt_arena_alloc(&p->tasks.memory, t->name_room);
		if (!t->name)
			return -ENOMEM;
	}
	if (name.bytes)
		memcpy(t->name, name.at, name.bytes);
	t->name_bytes = name.bytes;
	return 0;
}

/* The column drops spaces before a name, so they are not compared. */
static bool same(const struct fxt_ftrace_task *t, struct fxt_span name, bool field)
{
	struct fxt_span known = fxt_span(t->name, t->name_bytes);

	if (!field)
		fxt_span_skip_spaces(&known);
	return known.bytes == name.bytes && !memcmp(known.at, name.at, name.bytes);
}

/* Cuts between characters. */
static struct fxt_span shortened(struct fxt_span name)
{
	if (name.bytes <= 255)
		return name;
	name.bytes = 255;
	while (name.bytes && ((__u8)name.at[name.bytes] & 0xc0) == 0x80)
		name.bytes--;
	return name;
}

int fxt_ftrace_task_name(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t,
			 struct fxt_span name, __u64 ns, bool field)
{
	int err;

	if (t->name_bytes && same(t, name, field)) {
		t->named_by_field |= field;
		return 0;
	}
	name = t->tid ? shortened(name) : fxt_span("swapper", 7);
	if (!name.bytes || fxt_span_is(name, "<...>") || (t->named_by_field && !field) ||
	    (!t->tid && t->name_bytes))
		return 0;
	if (t->name_bytes && !t->name_put) {
		err = name_records_put(p, t);
		if (err)
			return err;
	}
	err = name_set(p, t, name);
	if (err)
		return err;
	t->named_by_field = field;
	t->since = fxt_ftrace_since(ns);
	t->name_put = false;
	/* Nothing is before time 0, so a name of then comes before its event, or too late. */
	return t->process_known || t->process_used || !ns ? name_records_put(p, t) : 0;
}

void fxt_ftrace_parser_nameless(struct fxt_ftrace_parser *p)
{
	p->nameless = true;
}

int fxt_ftrace_task_set(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, __u32 process,
			struct fxt_span name, __u64 ns)
{
	int err = name_set(p, t, shortened(name));

	if (err)
		return err;
	t->process = process;
	t->process_known = t->process_used = t->named_by_field = t->name_put = true;
	t->since = ns;
	fxt_build_thread_name(&p->r, t->tid, process, fxt_span_text(name), ns);
	return fxt_ftrace_put_at(p, ns, p->provider);
}

int fxt_ftrace_tasks_end(struct fxt_ftrace_parser *p)
{
	struct fxt_ftrace_task *t, *next;
	int err = 0;

	for (t = p->first; t && !err; t = next) {
		next = t->next;
		if (t->name_bytes && !t->name_put)
			err = name_records_put(p, t);
		if (!err)
			err = fxt_ftrace_slices_flush(p, t);
	}
	return err;
}

void fxt_ftrace_tasks_uninit(struct fxt_ftrace_parser *p)
{
	struct fxt_ftrace_task *t;

	for (t = p->first; t; t = t->next)
		fxt_ftrace_slices_free(p, t);
	fxt_map_uninit(&p->tasks, NULL);
}
