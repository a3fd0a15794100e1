// SPDX-License-Identifier: GPL-2.0-only
/* Keeps open slices of threads and tracks; those of a text that fxtrec wrote are put when their end shows their type. */
#include <errno.h>
#include <string.h>

#include "feed/feed.h"

static size_t bytes_of(const struct fxt_feed_slice *b)
{
	return b->bytes + b->more + 1;
}

static int grow(struct fxt_spill *spill, struct fxt_feed_slices *s)
{
	unsigned int room = s->room ? 2 * s->room : 4;
	struct fxt_feed_slice *slice;

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

int fxt_feed_slices_add(struct fxt_feed *f, struct fxt_feed_slices *s, const struct fxt_record *r, struct fxt_span more,
			int provider)
{
	struct fxt_feed_slice b = { .ns = r->ticks, .provider = provider, .bytes = r->name.length, .more = more.bytes };
	struct fxt_spill *spill = f->threads.memory.spill;

	if (s->count == FXT_FEED_SLICES_MAX)
		return -E2BIG;
	b.name = fxt_spill_alloc(spill, bytes_of(&b));
	if (!b.name || grow(spill, s)) {
		fxt_spill_free(spill, b.name, bytes_of(&b));
		return -ENOMEM;
	}
	if (b.bytes)
		memcpy(b.name, r->name.bytes, b.bytes);
	if (b.more)
		memcpy(b.name + b.bytes, more.at, b.more);
	s->slice[s->count++] = b;
	return 0;
}

void fxt_feed_slices_remove(struct fxt_feed *f, struct fxt_feed_slices *s, unsigned int i)
{
	fxt_spill_free(f->threads.memory.spill, s->slice[i].name, bytes_of(&s->slice[i]));
	s->count--;
	memmove(&s->slice[i], &s->slice[i + 1], (s->count - i) * sizeof(*s->slice));
}

void fxt_feed_slices_free(struct fxt_feed *f, struct fxt_feed_slices *s)
{
	while (s->count)
		fxt_feed_slices_remove(f, s, s->count - 1);
	fxt_spill_free(f->threads.memory.spill, s->slice, s->room * sizeof(*s->slice));
	*s = (struct fxt_feed_slices){ 0 };
}

static int slice_put(struct fxt_feed *f, __u32 tid, const struct fxt_feed_slice *b)
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

int fxt_feed_slices_flush(struct fxt_feed *f, struct fxt_feed_thread *t)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < t->slices.count && !err; i++)
		err = slice_put(f, t->tid, &t->slices.slice[i]);
	fxt_feed_slices_free(f, &t->slices);
	return err;
}

int fxt_feed_slice_open(struct fxt_feed *f, struct fxt_feed_thread *t, int provider)
{
	struct fxt_record r = f->r;
	int err = t->slices.count == FXT_FEED_SLICES_MAX ? fxt_feed_slices_flush(f, t) : 0;

	if (!err)
		err = fxt_feed_slices_add(f, &t->slices, &r, f->begin, provider);
	f->begin.bytes = 0;
	return err;
}

/* Finds the slice that r ends: the innermost of its name, as others may overlap it; else the innermost. */
static unsigned int slice_ended(const struct fxt_feed_slices *s, const struct fxt_record *r)
{
	unsigned int i;

	for (i = s->count; i--;)
		if (s->slice[i].bytes == r->name.length && !memcmp(s->slice[i].name, r->name.bytes, r->name.length))
			return i;
	return s->count - 1;
}

int fxt_feed_slice_begin(struct fxt_feed *f, struct fxt_feed_thread *t)
{
	struct fxt_feed_slices *s = &t->slices;
	struct fxt_record r = f->r;
	unsigned int i;
	int err;

	if (!s->count)
		return 0;
	i = slice_ended(s, &r);
	/* Records with equal times keep the order of their puts: outer slices first. */
	if (i && s->slice[i - 1].ns == s->slice[i].ns) {
		err = fxt_feed_slices_flush(f, t);
	} else {
		err = slice_put(f, t->tid, &s->slice[i]);
		fxt_feed_slices_remove(f, s, i);
	}
	f->r = r;
	return err;
}

int fxt_feed_slice_close(struct fxt_feed *f, struct fxt_feed_thread *t, struct fxt_span phase)
{
	struct fxt_feed_slices *s = &t->slices;
	struct fxt_feed_slice *b;
	unsigned int i;
	int err;

	if (!s->count)
		return 1;
	i = slice_ended(s, &f->r);
	b = &s->slice[i];
	f->r.event.type = fxt_span_is(phase, "instant") ? FXT_EVENT_INSTANT : FXT_EVENT_DURATION_COMPLETE;
	f->r.event.end = f->r.ticks;
	f->r.ticks = b->ns;
	f->r.name = fxt_build_text(b->name, b->bytes);
	err = fxt_feed_put_at(f, b->ns, b->provider);
	fxt_feed_slices_remove(f, s, i);
	return err;
}
