// SPDX-License-Identifier: GPL-2.0-only
/* What a part of a trace repeats of what is before it. */
#include <errno.h>
#include <string.h>

#include "convert/carryover.h"
#include "convert/room.h"
#include "fxt/wire.h"

/* A record, encoded. */
struct fxt_carried {
	struct fxt_carried *next;
	__u64 ns;
	const struct fxt_provider *provider;
	__u64 *words;
	__u32 count;
	__u32 room;
	__u32 part;		/* the last one that has it; 0: none has */
	bool processor;
};

void fxt_carryover_init(struct fxt_carryover *c, struct fxt_strings *strings, struct fxt_spill *spill)
{
	*c = (struct fxt_carryover){ .strings = strings, .part = 1 };
	c->processes.memory.spill = c->threads.memory.spill = c->known.memory.spill = spill;
	c->last = &c->first;
}

void fxt_carryover_uninit(struct fxt_carryover *c)
{
	fxt_map_uninit(&c->processes, NULL);
	fxt_map_uninit(&c->threads, NULL);
	fxt_map_uninit(&c->known, NULL);
	fxt_words_uninit(&c->scratch);
}

static int keep(struct fxt_carryover *c, struct fxt_map *map, struct fxt_carried *s,
		const struct fxt_record *r, __u32 part)
{
	__u32 room;
	int err;

	c->scratch.count = 0;
	err = fxt_encode(&c->scratch, r, fxt_strings_ref, c->strings);
	if (err)
		return err;
	if (c->scratch.count > s->room) {
		room = 2 * s->room < c->scratch.count ? c->scratch.count : 2 * s->room;
		s->words = fxt_arena_alloc(&map->memory, 8 * (size_t)room);
		if (!s->words)
			return -ENOMEM;
		s->room = room;
	}
	fxt_spill_touch(map->memory.spill, s->words);
	memcpy(s->words, c->scratch.w, 8 * c->scratch.count);
	s->count = c->scratch.count;
	s->ns = r->frame.offset;
	s->provider = r->provider;
	s->part = part;
	if (fxt_room(r) > c->largest)
		c->largest = fxt_room(r);
	return 0;
}

/* The record, in c->r. */
static int recall(struct fxt_carryover *c, const struct fxt_map *map, const struct fxt_carried *s)
{
	struct fxt_frame frame;

	fxt_spill_touch(map->memory.spill, s->words);
	if (fxt_frame_read(&frame, s->words, 8 * (size_t)s->count, s->ns) ||
	    fxt_decoder_read(&c->strings->decoder, &frame, &c->r))
		return -EIO;
	c->r.provider = s->provider;
	return 0;
}

static int repeat(struct fxt_carryover *c, struct fxt_carried *s)
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
	struct fxt_carried *s = fxt_map_get(map, koid);
	int err;

	if (!s || s->part == c->part)
		return 0;
	err = recall(c, map, s);
	c->r.object.carried = true;
	return err ? err : repeat(c, s);
}

static int thread_use(struct fxt_carryover *c, __u64 koid)
{
	struct fxt_carried *s = fxt_map_get(&c->threads, koid);
	__u64 process;
	int err;

	if (!s || s->part == c->part)
		return 0;
	err = recall(c, &c->threads, s);
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

/* Whether it repeats the name of the known one, in c->r, which has a command line as well. */
static bool says_less(const struct fxt_carryover *c, const struct fxt_record *r)
{
	__u64 since, other;

	return fxt_record_arg(&c->r, "command") && !fxt_record_arg(r, "command") &&
	       !fxt_arg_number(fxt_record_arg(r, "since"), &since) &&
	       !fxt_arg_number(fxt_record_arg(&c->r, "since"), &other) && since == other;
}

static struct fxt_map *objects_of(struct fxt_carryover *c, const struct fxt_record *r)
{
	return r->object.type == FXT_OBJECT_THREAD ? &c->threads :
	       r->object.type == FXT_OBJECT_PROCESS ? &c->processes : NULL;
}

/* part: the one that the record is put to, or 0. */
static int object_keep(struct fxt_carryover *c, const struct fxt_record *r, __u32 part)
{
	struct fxt_map *map = objects_of(c, r);
	struct fxt_carried *s = map ? fxt_map_get(map, r->object.koid) : NULL;
	int err = 0;

	if (!map)
		return 0;
	if (s && map == &c->processes)
		err = recall(c, map, s);
	if (err)
		return err;
	if (s && map == &c->processes && says_less(c, r))
		return part ? name_use(c, map, r->object.koid) : 0;
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

#define CLOCK	2u	/* of_recorder() */

/* Of the recorder's events, there is one of each, and a "processor" of each CPU. */
static bool of_recorder(const struct fxt_record *r, __u64 *which)
{
	static const char *const names[] = { "processor", "backend", "clock", "host" };
	__u64 cpu = 0;

	if (r->kind != FXT_KIND_EVENT || r->event.type != FXT_EVENT_INSTANT ||
	    !fxt_text_equal(&r->category, "fxtrec"))
		return false;
	for (*which = 0; *which < sizeof(names) / sizeof(*names); ++*which)
		if (fxt_text_equal(&r->name, names[*which]))
			break;
	if (!*which)
		fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu);
	*which += 4 * cpu;
	return *which % 4 || fxt_text_equal(&r->name, "processor");
}

/* The first one: the recorder reads the clocks again at its end. */
static int recorder_keep(struct fxt_carryover *c, const struct fxt_record *r, __u64 which, __u32 part)
{
	struct fxt_carried *s = fxt_map_get(&c->known, which);
	int err;

	if (s)
		return 0;
	s = fxt_map_new(&c->known, which, sizeof(*s));
	err = s ? keep(c, &c->known, s, r, part) : -ENOMEM;
	if (err)
		return err;
	s->processor = !(which % 4);
	if (which == CLOCK)
		c->end_room = fxt_room(r);
	*c->last = s;
	c->last = &s->next;
	return 0;
}

int fxt_carryover_record(struct fxt_carryover *c, const struct fxt_record *r)
{
	__u64 which;
	int err;

	if (r->kind == FXT_KIND_KERNEL_OBJECT)
		return object_use(c, r);
	err = names_use(c, r);
	return err || !of_recorder(r, &which) ? err : recorder_keep(c, r, which, c->part);
}

int fxt_carryover_skip(struct fxt_carryover *c, const struct fxt_record *r)
{
	__u64 which;

	if (r->kind == FXT_KIND_KERNEL_OBJECT)
		return object_keep(c, r, 0);
	return of_recorder(r, &which) ? recorder_keep(c, r, which, 0) : 0;
}

/* The names that a record uses, measured as if they were put. */
static int names_measure(struct fxt_carryover *c, const struct fxt_record *r)
{
	__u64 process;
	int err = 0;

	if (r->kind != FXT_KIND_KERNEL_OBJECT)
		return names_use(c, r);
	if (objects_of(c, r) == &c->threads && !fxt_arg_number(fxt_record_arg(r, "process"), &process))
		err = name_use(c, &c->processes, process);
	/* The known one may say more. */
	if (!err && objects_of(c, r) == &c->processes)
		err = name_use(c, &c->processes, r->object.koid);
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

	for (i = 0; i < r->arg_count; i++)
		if (r->args[i].type == FXT_ARG_UINT64)
			r->args[i].uint64 += by;
}

/* One of the recorder's events, as of a time. */
static int known_put(struct fxt_carryover *c, struct fxt_carried *s, __u64 ns, bool clocks_only)
{
	int err = recall(c, &c->known, s);
	bool clock = !err && fxt_text_equal(&c->r.name, "clock");

	if (err || (clocks_only && !clock))
		return err;
	if (clock)
		clocks_move(&c->r, ns - c->r.ticks);
	c->r.ticks = ns;
	c->r.frame.offset = ns;
	return repeat(c, s);
}

static int known_repeat(struct fxt_carryover *c, __u64 ns, bool most)
{
	struct fxt_carried *s;
	int err = 0;

	for (s = c->first; s && !err; s = s->next) {
		fxt_spill_touch(c->known.memory.spill, s);
		if (s->part != c->part && (!s->processor || most))
			err = known_put(c, s, ns, false);
	}
	return err;
}

int fxt_carryover_end(struct fxt_carryover *c, __u64 ns)
{
	struct fxt_carried *s;
	int err = 0;

	for (s = c->first; s && !err; s = s->next) {
		fxt_spill_touch(c->known.memory.spill, s);
		if (!s->processor)
			err = known_put(c, s, ns, true);
	}
	return err;
}

int fxt_carryover_begin(struct fxt_carryover *c, __u64 ns, bool most)
{
	c->part++;
	c->part_bytes = 0;
	return known_repeat(c, ns, most);
}

int fxt_carryover_complete(struct fxt_carryover *c, __u64 ns)
{
	return known_repeat(c, ns, true);
}
