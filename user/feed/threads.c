// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the threads of a feed: their names over time, their processes, and new threads. */
#include <errno.h>
#include <linux/sched.h>
#include <string.h>

#include "feed/feed.h"
#include "util/list.h"

static struct fxt_feed_thread *thread_new(struct fxt_feed *f, __u32 tid)
{
	struct fxt_feed_thread *t = fxt_map_new(&f->threads, tid, sizeof(*t));

	if (!t)
		return NULL;
	t->tid = tid;
	fxt_list_append(f->first, f->last, t);
	t->process_known = !tid;
	return t;
}

struct fxt_feed_thread *fxt_feed_thread(struct fxt_feed *f, __u32 tid)
{
	size_t i = tid % (sizeof(f->recent) / sizeof(f->recent[0]));
	struct fxt_feed_thread *t = f->recent[i].thread;

	if (t && f->recent[i].tid == tid) {
	} else {
		t = fxt_map_get(&f->threads, tid);
		if (!t)
			t = thread_new(f, tid);
		if (!t)
			return NULL;
		f->recent[i].tid = tid;
		f->recent[i].thread = t;
	}
	return t;
}

/* Puts the kernel object records of a thread. */
static int name_records_put(struct fxt_feed *f, struct fxt_feed_thread *t)
{
	struct fxt_text name = fxt_build_text(t->name, t->name_bytes);
	__u32 process = fxt_feed_process_of(t);
	int err = 0;

	t->name_put = true;
	if (f->nameless)
		return 0;
	if (process == t->tid) {
		fxt_build_process_name(&f->r, process, name, t->since);
		err = fxt_feed_put_at(f, t->since, f->provider);
	}
	if (err)
		return err;
	fxt_build_thread_name(&f->r, t->tid, process, name, t->since);
	return fxt_feed_put_at(f, t->since, f->provider);
}

__u32 fxt_feed_process_of(struct fxt_feed_thread *t)
{
	t->process_used = true;
	if (!t->process_known)
		t->process = t->tid;
	return t->process;
}

int fxt_feed_thread_process(struct fxt_feed *f, struct fxt_feed_thread *t, __u32 process,
			    __u64 ns)
{
	if ((t->process_known && t->process == process) || !t->tid)
		return 0;
	if (t->process_used && t->process != process && t->name_bytes) {
		/* The thread is another one with the same id, or has records with a default process. */
		t->since = fxt_feed_since(ns);
		t->name_put = false;
	}
	t->process = process;
	t->process_known = true;
	return t->name_bytes && !t->name_put ? name_records_put(f, t) : 0;
}

/* Sets a name, which has at most 255 bytes; most names have at most 15. */
static int name_set(struct fxt_feed *f, struct fxt_feed_thread *t, struct fxt_span name)
{
	if (name.bytes > t->name_room) {
		t->name_room = name.bytes <= 15 ? 15 : 255;
		t->name = fxt_arena_alloc(&f->threads.memory, t->name_room);
		if (!t->name)
			return -ENOMEM;
	}
	if (name.bytes)
		memcpy(t->name, name.at, name.bytes);
	t->name_bytes = name.bytes;
	return 0;
}

/* Compares names.  A column of names drops spaces before a name, so leading spaces are not compared. */
static bool same(const struct fxt_feed_thread *t, struct fxt_span name, bool field)
{
	struct fxt_span known = fxt_span(t->name, t->name_bytes);

	if (!field)
		fxt_span_skip_spaces(&known);
	return known.bytes == name.bytes && !memcmp(known.at, name.at, name.bytes);
}

/* Cuts a name between characters. */
static struct fxt_span shortened(struct fxt_span name)
{
	if (name.bytes <= 255)
		return name;
	name.bytes = 255;
	while (name.bytes && ((__u8)name.at[name.bytes] & 0xc0) == 0x80)
		name.bytes--;
	return name;
}

int fxt_feed_thread_name(struct fxt_feed *f, struct fxt_feed_thread *t,
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
		err = name_records_put(f, t);
		if (err)
			return err;
	}
	err = name_set(f, t, name);
	if (err)
		return err;
	t->named_by_field = field;
	t->since = fxt_feed_since(ns);
	t->name_put = false;
	/* Time 0 has no time before it: a name at 0 comes before its event, or too late. */
	return t->process_known || t->process_used || !ns ? name_records_put(f, t) : 0;
}

int fxt_feed_thread_set(struct fxt_feed *f, struct fxt_feed_thread *t, __u32 process,
			struct fxt_span name, __u64 ns)
{
	int err = name_set(f, t, shortened(name));

	if (err)
		return err;
	t->process = process;
	t->process_known = t->process_used = t->named_by_field = t->name_put = true;
	t->since = ns;
	fxt_build_thread_name(&f->r, t->tid, process, fxt_span_text(name), ns);
	return fxt_feed_put_at(f, ns, f->provider);
}

int fxt_feed_thread_end(struct fxt_feed *f, struct fxt_feed_thread *t)
{
	return t->name_bytes && !t->name_put ? name_records_put(f, t) : 0;
}

int fxt_feed_named(struct fxt_feed *f, const struct fxt_feed_event *e, __u32 tid, __u32 process,
		     struct fxt_span name)
{
	struct fxt_feed_thread *t = fxt_feed_thread(f, tid);
	int err = t ? 0 : -E2BIG;

	if (!err && process)
		err = fxt_feed_thread_process(f, t, process, e->ns);
	return err ? err : fxt_feed_thread_name(f, t, name, e->ns, true);
}

int fxt_feed_newtask(struct fxt_feed *f, const struct fxt_feed_event *e, __u32 tid, __u64 flags,
		       struct fxt_span name)
{
	struct fxt_feed_thread *creator = e->nobody ? NULL : fxt_feed_thread(f, e->tid);
	__u32 process = tid;

	if (!creator && !e->nobody)
		return -E2BIG;
	if (flags & CLONE_THREAD)
		process = creator ? fxt_feed_process_of(creator) : 0;
	return fxt_feed_named(f, e, tid, process, name);
}

/* Gives a new thread its parent's name.  Threads without a time existed before: perf names them. */
static int parents_name(struct fxt_feed *f, __u64 ns, __u32 tid, __u32 parent)
{
	const struct fxt_feed_thread *t = ns ? fxt_feed_thread(f, parent) : NULL;
	char name[256];
	size_t length = t ? t->name_bytes : 0;
	struct fxt_feed_thread *child;

	if (!length)
		return 0;
	/* The new thread may move the parent's name in memory. */
	memcpy(name, t->name, length);
	child = fxt_feed_thread(f, tid);
	return child ? fxt_feed_thread_name(f, child, fxt_span(name, length), ns, true) : -E2BIG;
}

int fxt_feed_forked(struct fxt_feed *f, __u64 ns, __u32 process, __u32 tid, __u32 parent)
{
	struct fxt_feed_thread *t;
	int err;

	if (!tid || tid > FXT_FEED_TID_MAX || process > FXT_FEED_TID_MAX)
		return 0;
	t = fxt_feed_thread(f, tid);
	err = t ? fxt_feed_thread_process(f, t, process, ns) : -E2BIG;
	return err || parent > FXT_FEED_TID_MAX ? err : parents_name(f, ns, tid, parent);
}
