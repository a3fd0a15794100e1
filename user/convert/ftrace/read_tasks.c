// SPDX-License-Identifier: GPL-2.0-only
/* The threads of ftrace's text: their names by time, and their processes. */
#include <errno.h>
#include <stdlib.h>

#include "convert/ftrace/read.h"

struct fxt_ftrace_task *fxt_ftrace_task(struct fxt_ftrace_parser *p, __u32 tid)
{
	struct fxt_ftrace_task *t = fxt_map_get(&p->tasks, tid);

	if (t || p->tasks.count >= FXT_FTRACE_THREADS_MAX)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t || fxt_map_put(&p->tasks, tid, t)) {
		free(t);
		return NULL;
	}
	t->tid = tid;
	t->process_known = !tid;
	return t;
}

/* Puts the kernel object records that say who a thread is. */
static int tell(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t)
{
	struct fxt_text name = fxt_build_text(t->name, t->name_bytes);
	__u32 process = fxt_ftrace_process_of(t);
	int err = 0;

	t->told = true;
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
		/* Another thread by now, or one whose records had to say something before. */
		t->since = fxt_ftrace_since(ns);
		t->told = false;
	}
	t->process = process;
	t->process_known = true;
	return t->name_bytes && !t->told ? tell(p, t) : 0;
}

static int name_set(struct fxt_ftrace_task *t, struct fxt_span name)
{
	if (name.bytes > t->name_room) {
		char *grown = realloc(t->name, name.bytes);

		if (!grown)
			return -ENOMEM;
		t->name = grown;
		t->name_room = name.bytes;
	}
	if (name.bytes)
		memcpy(t->name, name.at, name.bytes);
	t->name_bytes = name.bytes;
	return 0;
}

/* The column has no spaces before a name, so none are compared. */
static bool same(const struct fxt_ftrace_task *t, struct fxt_span name, bool field)
{
	struct fxt_span known = fxt_span(t->name, t->name_bytes);

	if (!field)
		fxt_span_skip_spaces(&known);
	return known.bytes == name.bytes && !memcmp(known.at, name.at, name.bytes);
}

/* Characters are not cut. */
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
	if (t->name_bytes && !t->told) {
		err = tell(p, t);
		if (err)
			return err;
	}
	err = name_set(t, name);
	if (err)
		return err;
	t->named_by_field = field;
	t->since = fxt_ftrace_since(ns);
	t->told = false;
	return t->process_known || t->process_used ? tell(p, t) : 0;
}

void fxt_ftrace_parser_nameless(struct fxt_ftrace_parser *p)
{
	p->nameless = true;
}

int fxt_ftrace_task_told(struct fxt_ftrace_parser *p, struct fxt_ftrace_task *t, __u32 process,
			 struct fxt_span name, __u64 ns)
{
	int err = name_set(t, shortened(name));

	if (err)
		return err;
	t->process = process;
	t->process_known = t->process_used = t->named_by_field = t->told = true;
	t->since = ns;
	fxt_build_thread_name(&p->r, t->tid, process, fxt_span_text(name), ns);
	return fxt_ftrace_put_at(p, ns, p->provider);
}

int fxt_ftrace_tasks_end(struct fxt_ftrace_parser *p)
{
	struct fxt_ftrace_task *t;
	size_t at = 0;
	int err = 0;

	while (!err && (t = fxt_map_next(&p->tasks, &at))) {
		if (t->name_bytes && !t->told)
			err = tell(p, t);
		if (!err)
			err = fxt_ftrace_begun_flush(p, t);
	}
	return err;
}

static void task_free(void *value)
{
	struct fxt_ftrace_task *t = value;

	while (t->begun_count)
		free(t->begun[--t->begun_count].name);
	free(t->begun);
	free(t->name);
	free(t);
}

void fxt_ftrace_tasks_uninit(struct fxt_ftrace_parser *p)
{
	fxt_map_uninit(&p->tasks, task_free);
}
