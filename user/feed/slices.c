// SPDX-License-Identifier: GPL-2.0-only
/* Keeps open slices of a text that fxtrec wrote: their ends have their types. */
#include <errno.h>
#include <string.h>

#include "feed/feed.h"

#define SLICES_TASK_MAX	4096u

struct slice {
	__u64 ns;
	int provider;
	__u32 bytes;		/* length of the name */
	__u32 more;		/* length of "arguments|category", after the name */
	char *name;
};

/* Open slices of a thread, outer ones first. */
struct slices {
	unsigned int count, room;
	struct slice *slice;
};

static struct slices *slices_of(const struct fxt_feed *f, __u32 tid)
{
	struct slices *s = fxt_map_get(&f->slices, tid);

	return s && s->count ? s : NULL;
}

static void slice_free(struct fxt_feed *f, struct slice *b)
{
	fxt_spill_free(f->slices.memory.spill, b->name, b->bytes + b->more + 1);
}

static int slice_put(struct fxt_feed *f, __u32 tid, const struct slice *b)
{
	struct fxt_span category = fxt_span(b->name + b->bytes, b->more), args;
	int err;

	args = fxt_span_part(&category, '|');
	err = fxt_feed_start(f, FXT_EVENT_DURATION_BEGIN, b->ns, tid, fxt_span_text(category),
			     fxt_build_text(b->name, b->bytes));
	if (err)
		return err;
	fxt_feed_args(&f->r, args, ';', true);
	return fxt_feed_put_at(f, b->ns, b->provider);
}

int fxt_feed_slices_flush(struct fxt_feed *f, __u32 tid)
{
	struct slices *s = slices_of(f, tid);
	unsigned int i;
	int err = 0;

	for (i = 0; s && i < s->count; i++) {
		if (!err)
			err = slice_put(f, tid, &s->slice[i]);
		slice_free(f, &s->slice[i]);
	}
	if (s)
		s->count = 0;
	return err;
}

static int grow(struct fxt_feed *f, struct slices *s)
{
	struct fxt_spill *spill = f->slices.memory.spill;
	unsigned int room = s->room ? 2 * s->room : 4;
	struct slice *slice;

	if (s->count < s->room)
		return 0;
	slice = fxt_spill_alloc(spill, room * sizeof(*slice));
	if (!slice)
		return -ENOMEM;
	if (s->slice)
		memcpy(slice, s->slice, s->room * sizeof(*slice));
	fxt_spill_free(spill, s->slice, s->room * sizeof(*slice));
	s->slice = slice;
	s->room = room;
	return 0;
}

int fxt_feed_slice_open(struct fxt_feed *f, __u32 tid, int provider)
{
	struct slice b = { .ns = f->r.ticks, .provider = provider, .bytes = f->r.name.length,
			   .more = f->begin.bytes };
	struct slices *s = fxt_map_get(&f->slices, tid);

	if (!s)
		s = fxt_map_new(&f->slices, tid, sizeof(*s));
	if (!s)
		return -ENOMEM;
	if (s->count == SLICES_TASK_MAX) {
		struct fxt_record r = f->r;
		int err = fxt_feed_slices_flush(f, tid);

		if (err)
			return err;
		f->r = r;
	}
	b.name = fxt_spill_alloc(f->slices.memory.spill, b.bytes + b.more + 1);
	if (!b.name || grow(f, s)) {
		slice_free(f, &b);
		return -ENOMEM;
	}
	memcpy(b.name, f->r.name.bytes, b.bytes);
	if (b.more)
		memcpy(b.name + b.bytes, f->begin.at, b.more);
	f->begin.bytes = 0;
	s->slice[s->count++] = b;
	return 0;
}

static void slice_remove(struct fxt_feed *f, struct slices *s, unsigned int i)
{
	slice_free(f, &s->slice[i]);
	s->count--;
	memmove(&s->slice[i], &s->slice[i + 1], (s->count - i) * sizeof(*s->slice));
}

/* Finds the slice that r ends: the innermost of its name, as others may overlap it; else the innermost. */
static unsigned int slice_ended(const struct slices *s, const struct fxt_record *r)
{
	unsigned int i;

	for (i = s->count; i--;)
		if (s->slice[i].bytes == r->name.length && !memcmp(s->slice[i].name, r->name.bytes, r->name.length))
			return i;
	return s->count - 1;
}

void fxt_feed_slice_drop(struct fxt_feed *f, __u32 tid)
{
	struct slices *s = slices_of(f, tid);

	if (s)
		slice_remove(f, s, s->count - 1);
}

int fxt_feed_slice_begin(struct fxt_feed *f, __u32 tid)
{
	struct slices *s = slices_of(f, tid);
	struct fxt_record r;
	unsigned int i;
	int err;

	if (!s)
		return 0;
	r = f->r;
	i = slice_ended(s, &r);
	/* Records with equal times keep the order of their puts: outer slices first. */
	if (i && s->slice[i - 1].ns == s->slice[i].ns) {
		err = fxt_feed_slices_flush(f, tid);
	} else {
		err = slice_put(f, tid, &s->slice[i]);
		slice_remove(f, s, i);
	}
	f->r = r;
	return err;
}

int fxt_feed_slice_close(struct fxt_feed *f, __u32 tid, struct fxt_span phase)
{
	struct slices *s = slices_of(f, tid);
	struct slice *b;
	unsigned int i;
	int err;

	if (!s)
		return 1;
	i = slice_ended(s, &f->r);
	b = &s->slice[i];
	f->r.event.type = fxt_span_is(phase, "instant") ? FXT_EVENT_INSTANT : FXT_EVENT_DURATION_COMPLETE;
	f->r.event.end = f->r.ticks;
	f->r.ticks = b->ns;
	f->r.name = fxt_build_text(b->name, b->bytes);
	err = fxt_feed_put_at(f, b->ns, b->provider);
	slice_remove(f, s, i);
	return err;
}

void fxt_feed_slices_free(struct fxt_feed *f)
{
	struct slices *s;
	size_t at = 0;

	while ((s = fxt_map_next(&f->slices, &at))) {
		while (s->count)
			slice_free(f, &s->slice[--s->count]);
		fxt_spill_free(f->slices.memory.spill, s->slice, s->room * sizeof(*s->slice));
	}
	fxt_map_uninit(&f->slices, NULL);
}
