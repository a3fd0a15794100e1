/* SPDX-License-Identifier: GPL-2.0-only */
/* Writers of a ring with nested writers, for its tests. */
#ifndef RING_INFO_H
#define RING_INFO_H

#include "ring_env.h"

#include "fxt/ring.h"

#define SUBBUF	4096u

/* The ring that is tested: all tests run for both. */
static enum fxtrec_ring_kind ring_kind;

static inline int info_ring(void **state)
{
	(void)state;
	ring_kind = FXTREC_RING_INFO;
	ring_events = 0;
	return 0;
}

static inline int events_ring(void **state)
{
	(void)state;
	ring_kind = FXTREC_RING_EVENTS;
	ring_events = FXTREC_EVENTS_ALL;
	return 0;
}

#define BOTH_RINGS(test) \
	{ #test " (INFO)", test, info_ring, NULL, NULL }, \
	{ #test " (EVENTS)", test, events_ring, NULL, NULL }

static inline struct fxtrec_producer *ring(void)
{
	return &ring_env.area->ring[ring_kind];
}

/* Writes an instant event with a name of 8 × words bytes at the offset. */
static inline void event_write(__u64 offset, __u64 ticks, __u32 words)
{
	__u64 *w = FXT_AREA_AT(ring_env.area, offset);

	w[0] = fxt_event(FXT_EVENT_INSTANT, 2 + words, 0, FXT_THREAD_LOSSES, FXT_STR_MARK,
			 fxt_ref_inline(8 * words));
	w[1] = ticks;
	memset(w + 2, 'x', 8 * words);
}

/* A writer that is inside; its record is written when it commits. */
struct writer {
	__u64 offset;
	__u64 ticks;
	__u32 words;
};

static inline bool reserve(struct writer *writer, __u32 words)
{
	ring_env.attempts++;
	writer->ticks = ring_clock();
	writer->words = words;
	writer->offset = fxt_nested_reserve(ring_env.area, ring_kind, 16 + 8 * words, writer->ticks);
	/* An unopened ring has no event yet. */
	if (writer->offset == FXT_UNOPENED)
		ring_env.attempts--;
	return writer->offset < FXT_UNOPENED;
}

static inline void commit(const struct writer *writer)
{
	event_write(writer->offset, writer->ticks, writer->words);
	fxt_nested_commit(ring());
}

static inline void event_of(__u32 words)
{
	struct writer writer;

	if (reserve(&writer, words))
		commit(&writer);
}

static inline void event(void)
{
	event_of(1 + ring_env.now % 11);
}

static inline void events(unsigned int count)
{
	while (count--)
		event();
}

/* Drains the rest, and asserts that each event is there, counted, and reported unless at the end. */
static inline struct ring_losses finish(void)
{
	struct fxtrec_producer *p = ring();
	struct ring_losses losses;
	unsigned int cause;

	assert_int_equal(p->writers, 0);
	assert_int_equal(p->head, p->reserve);
	ring_drain(ring_kind, ~0u, 0);
	losses = ring_verify(false);
	for (cause = 0; cause < FXTREC_LOSSES; cause++) {
		assert_int_equal(losses.reported[cause], p->reported[cause]);
		assert_true(p->reported[cause] <= p->lost[cause]);
	}
	assert_int_equal(losses.events + p->lost[FXTREC_LOST_FULL] + p->lost[FXTREC_LOST_NESTED],
			 ring_env.attempts);
	ring_close();
	return losses;
}

#endif
