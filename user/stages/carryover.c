// SPDX-License-Identifier: GPL-2.0-only
/* Repeats records from before a part of a trace in the part. */
#include <errno.h>
#include <string.h>

#include "stages/carryover.h"
#include "stages/room.h"
#include "fxt/wire.h"
#include "model/build.h"

/* Notes the size of a record that may be repeated. */
static void largest_add(struct fxt_carryover *c, __u64 room)
{
	c->largest = room > c->largest ? room : c->largest;
}

static int known_measure(struct fxt_carryover *c)
{
	struct fxt_kept *k;
	int err;

	for (k = c->known->first; k; k = k->next) {
		err = fxt_kept_get(k, c->strings, &c->r);
		if (err)
			return err;
		largest_add(c, fxt_room(&c->r));
		if (k->event == FXT_KNOWN_CLOCK)
			c->end_room += fxt_room(&c->r);
	}
	return 0;
}

int fxt_carryover_init(struct fxt_carryover *c, struct fxt_strings *strings, struct fxt_known *known)
{
	*c = (struct fxt_carryover){ .strings = strings, .known = known, .part = 1 };
	c->processes.memory.spill = c->threads.memory.spill = known->map.memory.spill;
	return known_measure(c);
}

void fxt_carryover_uninit(struct fxt_carryover *c)
{
	fxt_map_uninit(&c->processes, NULL);
	fxt_map_uninit(&c->threads, NULL);
	fxt_words_uninit(&c->scratch);
}

static int keep(struct fxt_carryover *c, struct fxt_map *map, struct fxt_kept *s,
		const struct fxt_record *r, __u32 part)
{
	int err = fxt_kept_set(s, map, &c->scratch, r, c->strings);

	if (err)
		return err;
	s->part = part;
	largest_add(c, fxt_room(r));
	return 0;
}

/* Reads a kept record into c->r. */
static int recall(struct fxt_carryover *c, const struct fxt_kept *s)
{
	return fxt_kept_get(s, c->strings, &c->r);
}

static int repeat(struct fxt_carryover *c, struct fxt_kept *s)
{
	if (c->measuring) {
		c->measured += fxt_room(&c->r);
		return 0;
	}
	s->part = c->part;
	c->part_bytes += 8 * (__u64)s->count;
	c->bytes += 8 * (__u64)s->count;
	return c->put(c->state, &c->r);
}

static int name_use(struct fxt_carryover *c, struct fxt_map *map, __u64 koid)
{
	struct fxt_kept *s = fxt_map_get(map, koid);
	int err;

	if (!s || s->part == c->part)
		return 0;
	err = recall(c, s);
	c->r.object.carried = true;
	return err ? err : repeat(c, s);
}

static int thread_use(struct fxt_carryover *c, __u64 koid)
{
	struct fxt_kept *s = fxt_map_get(&c->threads, koid);
	__u64 process;
	int err;

	if (!s || s->part == c->part)
		return 0;
	err = recall(c, s);
	if (err || fxt_arg_number(fxt_record_arg(&c->r, "process"), &process))
		process = koid;
	if (!err)
		err = name_use(c, &c->processes, process);
	return err ? err : name_use(c, &c->threads, koid);
}

static int pair_use(struct fxt_carryover *c, __u64 first, __u64 second)
{
	int err = thread_use(c, first);

	return err ? err : thread_use(c, second);
}

static int sched_use(struct fxt_carryover *c, const struct fxt_record *r)
{
	struct fxt_switch_view change;
	struct fxt_wakeup_view wakeup;

	if (r->kind == FXT_KIND_WAKEUP) {
		fxt_wakeup_view_get(&wakeup, r);
		return pair_use(c, wakeup.thread, wakeup.waker_known ? wakeup.waker : wakeup.thread);
	}
	fxt_switch_view_get(&change, r);
	return pair_use(c, change.prev, change.next);
}

static int names_use(struct fxt_carryover *c, const struct fxt_record *r)
{
	struct fxt_migrate_view migration;
	int err;

	switch (r->kind) {
	case FXT_KIND_LEGACY_SWITCH:
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_WAKEUP:
		return sched_use(c, r);
	case FXT_KIND_EVENT:
	case FXT_KIND_LOG:
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
	case FXT_KIND_BACKTRACE:
		err = name_use(c, &c->processes, r->thread.process);
		if (!err && !fxt_migrate_view_get(&migration, r))
			err = thread_use(c, migration.thread);
		return err ? err : thread_use(c, r->thread.thread);
	case FXT_KIND_USERSPACE_OBJECT:
		return name_use(c, &c->processes, r->thread.process);
	default:
		return 0;
	}
}

/* Returns whether a record repeats the name in c->r, which also has a command line. */
static bool says_less(const struct fxt_carryover *c, const struct fxt_record *r)
{
	__u64 since, other;

	return fxt_record_arg(&c->r, "command") && !fxt_record_arg(r, "command") &&
	       !fxt_arg_number(fxt_record_arg(r, "since"), &since) &&
	       !fxt_arg_number(fxt_record_arg(&c->r, "since"), &other) && since == other;
}

/* Returns the control group of a thread, where the record of its new name has none; 0: not known. */
static __u64 group_missing(struct fxt_carryover *c, const struct fxt_record *r, int *err)
{
	const struct fxt_kept *s = fxt_record_arg(r, "cgroup_id") ? NULL : fxt_map_get(&c->threads, r->object.koid);
	__u64 id;

	*err = s ? recall(c, s) : 0;
	return s && !*err && !fxt_arg_number(fxt_record_arg(&c->r, "cgroup_id"), &id) ? id : 0;
}

static struct fxt_map *objects_of(struct fxt_carryover *c, const struct fxt_record *r)
{
	return r->object.type == FXT_OBJECT_THREAD ? &c->threads :
	       r->object.type == FXT_OBJECT_PROCESS ? &c->processes : NULL;
}

/* Keeps a thread's record with its control group: both are valid until a record has another one. */
static int thread_keep(struct fxt_carryover *c, struct fxt_kept *s, const struct fxt_record *r, __u32 part)
{
	struct fxt_record whole;
	int err;
	__u64 id = group_missing(c, r, &err);

	if (err || !id || r->arg_count == FXT_ARGS_MAX)
		return err ? err : keep(c, &c->threads, s, r, part);
	whole = *r;
	fxt_build_arg_uint(&whole, fxt_build_string("cgroup_id"), id);
	err = part ? name_use(c, &c->threads, r->object.koid) : 0;
	return err ? err : keep(c, &c->threads, s, &whole, part);
}

/* Keeps an object's record; part: the part that the record is put to, or 0. */
static int object_keep(struct fxt_carryover *c, const struct fxt_record *r, __u32 part)
{
	struct fxt_map *map = objects_of(c, r);
	struct fxt_kept *s = map ? fxt_map_get(map, r->object.koid) : NULL;
	int err = 0;

	if (!map)
		return 0;
	if (s && map == &c->processes)
		err = recall(c, s);
	if (err)
		return err;
	if (s && map == &c->processes && says_less(c, r))
		return part ? name_use(c, map, r->object.koid) : 0;
	if (s && map == &c->threads)
		return thread_keep(c, s, r, part);
	if (!s)
		s = fxt_map_new(map, r->object.koid, sizeof(*s));
	return s ? keep(c, map, s, r, part) : -ENOMEM;
}

static int object_use(struct fxt_carryover *c, const struct fxt_record *r)
{
	__u64 process;
	int err = 0;

	if (objects_of(c, r) == &c->threads && !fxt_arg_number(fxt_record_arg(r, "process"), &process))
		err = name_use(c, &c->processes, process);
	return err ? err : object_keep(c, r, c->part);
}

int fxt_carryover_has(struct fxt_carryover *c, const struct fxt_record *r)
{
	const struct fxt_kept *s = fxt_known_of(c->known, r);

	return s && s->part == c->part ? fxt_kept_same(s, &c->scratch, r, c->strings) : 0;
}

int fxt_carryover_record(struct fxt_carryover *c, const struct fxt_record *r)
{
	return r->kind == FXT_KIND_KERNEL_OBJECT ? object_use(c, r) : names_use(c, r);
}

int fxt_carryover_skip(struct fxt_carryover *c, const struct fxt_record *r)
{
	return r->kind == FXT_KIND_KERNEL_OBJECT ? object_keep(c, r, 0) : 0;
}

/* Measures the names that a record uses, as if they were put. */
static int names_measure(struct fxt_carryover *c, const struct fxt_record *r)
{
	__u64 process;
	int err = 0;

	if (r->kind != FXT_KIND_KERNEL_OBJECT)
		return names_use(c, r);
	if (objects_of(c, r) == &c->threads && !fxt_arg_number(fxt_record_arg(r, "process"), &process))
		err = name_use(c, &c->processes, process);
	/* The kept record may have more arguments. */
	if (!err && objects_of(c, r) == &c->processes)
		err = name_use(c, &c->processes, r->object.koid);
	if (!err && objects_of(c, r) == &c->threads && group_missing(c, r, &err))
		err = name_use(c, &c->threads, r->object.koid);
	return err;
}

int fxt_carryover_room(struct fxt_carryover *c, const struct fxt_record *r, __u64 *bytes)
{
	int err;

	c->measuring = true;
	c->measured = 0;
	err = names_measure(c, r);
	c->measuring = false;
	*bytes = c->measured;
	return err;
}

/* Moves the clocks' readings to another time. */
static void clocks_move(struct fxt_record *r, __u64 by)
{
	unsigned int i;
	__u64 ns;

	for (i = 0; i < r->arg_count; i++)
		if (!fxt_arg_number(&r->args[i], &ns)) {
			r->args[i].type = FXT_ARG_UINT64;
			r->args[i].uint64 = ns + by;
		}
}

/* Puts one of the recorder's events, as of a time. */
static int known_put(struct fxt_carryover *c, struct fxt_kept *s, __u64 ns)
{
	int err = recall(c, s);

	if (err)
		return err;
	if (s->event == FXT_KNOWN_CLOCK)
		clocks_move(&c->r, ns - c->r.ticks);
	c->r.ticks = ns;
	c->r.frame.offset = ns;
	return repeat(c, s);
}

int fxt_carryover_know(struct fxt_carryover *c, __u64 ns, bool most)
{
	struct fxt_kept *s;
	int err = 0;

	for (s = c->known->first; s && !err; s = s->next) {
		if (s->event != FXT_KNOWN_PROCESSOR || most)
			err = known_put(c, s, ns);
	}
	return err;
}

int fxt_carryover_begin(struct fxt_carryover *c, __u64 ns, bool most)
{
	c->part++;
	c->part_bytes = 0;
	return fxt_carryover_know(c, ns, most);
}

int fxt_carryover_end(struct fxt_carryover *c, __u64 ns)
{
	struct fxt_kept *s;
	int err = 0;

	for (s = c->known->first; s && !err; s = s->next) {
		if (s->event == FXT_KNOWN_CLOCK)
			err = known_put(c, s, ns);
	}
	return err;
}
