// SPDX-License-Identifier: GPL-2.0-only
/* Metadata that is replayed at the start of each part of a split trace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/carryover.h"
#include "fxt/wire.h"

struct fxt_carryover_record {
	struct fxt_carryover_record *next;
	struct fxt_record r;
	char *texts;		/* inline ones */
};

/* Calls each() for the texts of a record. */
static void each_text(struct fxt_record *r, void (*each)(struct fxt_text *text, void *arg), void *arg)
{
	unsigned int i;

	if (r->kind == FXT_KIND_EVENT)
		each(&r->category, arg);
	each(&r->name, arg);
	for (i = 0; i < r->arg_count; i++) {
		each(&r->args[i].name, arg);
		if (r->args[i].type == FXT_ARG_STRING)
			each(&r->args[i].string, arg);
	}
}

static void text_count(struct fxt_text *text, void *arg)
{
	*(size_t *)arg += text->ref & FXT_REF_INLINE ? text->length : 0;
}

static void text_keep(struct fxt_text *text, void *arg)
{
	char **to = arg;

	if (!(text->ref & FXT_REF_INLINE))
		return;
	memcpy(*to, text->bytes, text->length);
	text->bytes = *to;
	*to += text->length;
}

static int copy(struct fxt_carryover_record *s, const struct fxt_record *r)
{
	size_t bytes = 0;
	char *texts, *end;

	s->r = *r;
	each_text(&s->r, text_count, &bytes);
	texts = end = malloc(bytes + 1);
	if (!texts)
		return -ENOMEM;
	each_text(&s->r, text_keep, &end);
	free(s->texts);
	s->texts = texts;
	return 0;
}

static struct fxt_carryover_record *add(struct fxt_carryover *carryover, const struct fxt_record *r)
{
	struct fxt_carryover_record *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	if (copy(s, r)) {
		free(s);
		return NULL;
	}
	if (carryover->last)
		carryover->last->next = s;
	else
		carryover->first = s;
	carryover->last = s;
	return s;
}

/* Whether it repeats the name of the known one, which has a command line as well. */
static bool says_less(const struct fxt_record *r, const struct fxt_record *than)
{
	__u64 since, other;

	return fxt_record_arg(than, "command") && !fxt_record_arg(r, "command") &&
	       !fxt_arg_number(fxt_record_arg(r, "since"), &since) &&
	       !fxt_arg_number(fxt_record_arg(than, "since"), &other) && since == other;
}

static int object_update(struct fxt_carryover *carryover, const struct fxt_record *r)
{
	struct fxt_map *map = r->object.type == FXT_OBJECT_THREAD ? &carryover->threads :
			      r->object.type == FXT_OBJECT_PROCESS ? &carryover->processes : NULL;
	struct fxt_carryover_record *s = map ? fxt_map_get(map, r->object.koid) : NULL;

	if (!map || (s && says_less(r, &s->r)))
		return 0;
	if (s)
		return copy(s, r);
	s = add(carryover, r);
	return s ? fxt_map_put(map, r->object.koid, s) : -ENOMEM;
}

static bool of_recorder(const struct fxt_record *r)
{
	static const char *const names[] = { "backend", "clock", "host", "processor" };
	size_t i;

	if (r->kind != FXT_KIND_EVENT || r->event.type != FXT_EVENT_INSTANT ||
	    !fxt_text_equal(&r->category, "fxtrec"))
		return false;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (fxt_text_equal(&r->name, names[i]))
			return true;
	return false;
}

/* Whether it is a repetition: the recorder reads the clocks again at its end. */
static bool repeats(const struct fxt_carryover *carryover, const struct fxt_record *r)
{
	const struct fxt_carryover_record *s;
	__u64 cpu = 0, other = 0;

	fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu);
	for (s = carryover->first; s; s = s->next) {
		if (s->r.kind != FXT_KIND_EVENT || s->r.name.length != r->name.length ||
		    memcmp(s->r.name.bytes, r->name.bytes, r->name.length))
			continue;
		fxt_arg_number(fxt_record_arg(&s->r, "cpu"), &other);
		if (cpu == other)
			return true;
	}
	return false;
}

int fxt_carryover_update(struct fxt_carryover *carryover, const struct fxt_record *r)
{
	if (r->kind == FXT_KIND_KERNEL_OBJECT)
		return object_update(carryover, r);
	if (of_recorder(r) && !repeats(carryover, r))
		return add(carryover, r) ? 0 : -ENOMEM;
	return 0;
}

/* Moves the clocks' readings to another time. */
static void clocks_move(struct fxt_record *r, __u64 by)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++)
		if (r->args[i].type == FXT_ARG_UINT64)
			r->args[i].uint64 += by;
}

int fxt_carryover_replay(const struct fxt_carryover *carryover, __u64 ns,
			 int (*put)(void *state, const struct fxt_record *r), void *state)
{
	const struct fxt_carryover_record *s;
	struct fxt_record r;
	int err = 0;

	for (s = carryover->first; s && !err; s = s->next) {
		r = s->r;
		if (r.kind == FXT_KIND_EVENT) {
			if (fxt_text_equal(&r.name, "clock"))
				clocks_move(&r, ns - r.ticks);
			r.ticks = ns;
			r.frame.offset = ns;
		}
		err = put(state, &r);
	}
	return err;
}

void fxt_carryover_uninit(struct fxt_carryover *carryover)
{
	while (carryover->first) {
		struct fxt_carryover_record *s = carryover->first;

		carryover->first = s->next;
		free(s->texts);
		free(s);
	}
	/* The list owns the maps' values. */
	fxt_map_uninit(&carryover->processes, NULL);
	fxt_map_uninit(&carryover->threads, NULL);
	*carryover = (struct fxt_carryover){};
}
