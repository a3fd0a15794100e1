// SPDX-License-Identifier: GPL-2.0-only
/* Rings of one CPU, with their clock, their interrupts and their reader. */
#include "fxt/area.h"
#include "fxt/linux.h"
#include "model/loss.h"
#include "ring_env.h"

struct ring_env ring_env;
__u32 ring_events;

static struct {
	const struct fxtrec_producer *ring;	/* NULL: no ring is watched */
	const __u64 *reached;
	__u64 fenced;				/* the sub-buffer reached at the last FXT_STORE_BARRIER() */
	__u64 head;
	bool released;				/* since the last access */
	__u8 *data;				/* copy of the area's data at that time */
} watched;

void ring_open(__u32 subbuf_bytes, __u64 start)
{
	__u32 kind;

	ring_env = (struct ring_env){ .data_bytes = (size_t)subbuf_bytes * RING_SUBBUFS };
	/* Allocated to the byte, so that the sanitizer sees reads beyond it. */
	ring_env.area = calloc(1, sizeof(*ring_env.area) + ring_env.data_bytes);
	assert_non_null(ring_env.area);
	fxt_area_init(ring_env.area, RING_CPU, ring_env.data_bytes, RING_SUBBUFS, ring_events);
	for (kind = 0; kind < FXTREC_RINGS; kind++) {
		struct fxtrec_producer *p = &ring_env.area->ring[kind];

		if (!p->subbufs)
			continue;
		p->head = start;
		p->reserve = start;
		p->bias = start - fxt_ring_offset(p, start);
		ring_env.consumer.ring[kind].tail = start;
	}
}

void ring_close(void)
{
	free(watched.data);
	memset(&watched, 0, sizeof(watched));
	free(ring_env.area);
	unit_file_free(&ring_env.drained);
}

void ring_arm(void (*interrupt)(void), unsigned long at)
{
	ring_env.accesses = 0;
	ring_env.interrupt_at = at;
	ring_env.interrupt = interrupt;
}

bool ring_disarm(void)
{
	bool happened = !ring_env.interrupt;

	ring_env.interrupt = NULL;
	return happened;
}

void ring_watch(enum fxtrec_ring_kind kind)
{
	const struct fxtrec_producer *p = &ring_env.area->ring[kind];

	watched.ring = p;
	watched.reached = kind == FXTREC_RING_SCHED ? &p->head : &p->reserve;
	watched.fenced = *watched.reached >> p->subbuf_shift;
	watched.head = p->head;
	watched.data = malloc(ring_env.data_bytes);
	assert_non_null(watched.data);
	memcpy(watched.data, ring_env.area->data, ring_env.data_bytes);
}

/* Checks the words that were written since the last access. */
static void watch(void)
{
	const struct fxtrec_producer *p = watched.ring;
	size_t bytes = 1ULL << p->subbuf_shift;
	__u64 number = *watched.reached >> p->subbuf_shift, i;

	assert_true(p->head == watched.head || watched.released);
	watched.head = p->head;
	watched.released = false;
	for (i = 0; i < p->subbufs; i++, number--) {
		size_t offset = fxt_ring_offset(p, number << p->subbuf_shift);

		if (!memcmp(watched.data + offset, ring_env.area->data + offset, bytes))
			continue;
		assert_in_range(number, watched.head >> p->subbuf_shift, watched.fenced);
		memcpy(watched.data + offset, ring_env.area->data + offset, bytes);
	}
}

void ring_stores(void)
{
	ring_access();
	if (watched.ring)
		watched.fenced = *watched.reached >> watched.ring->subbuf_shift;
}

void ring_release(const __u64 *word)
{
	watched.released |= watched.ring && word == &watched.ring->head;
}

void ring_access(void)
{
	void (*interrupt)(void) = ring_env.interrupt;

	if (watched.ring)
		watch();
	if (!interrupt || ring_env.accesses++ != ring_env.interrupt_at)
		return;
	ring_env.interrupt = NULL;
	interrupt();
}

__u64 ring_clock(void)
{
	return ++ring_env.now;
}

/*
 * Asserts that a stretch of a sub-buffer is whole records; returns the bytes of the records before the last keep bytes.
 */
static size_t stretch_check(const __u8 *bytes, size_t size, size_t keep)
{
	struct fxt_frame frame;
	size_t at, taken = 0;

	for (at = 0; at < size; at += frame.bytes) {
		assert_int_equal(fxt_frame_read(&frame, bytes + at, size - at, at), 0);
		if (at + frame.bytes + keep <= size)
			taken = at + frame.bytes;
	}
	assert_int_equal(at, size);
	return taken;
}

void ring_drain(enum fxtrec_ring_kind kind, unsigned int subbufs, size_t keep)
{
	const struct fxtrec_producer *p = &ring_env.area->ring[kind];
	__u64 *tail = &ring_env.consumer.ring[kind].tail;

	for (; subbufs && *tail != p->head; subbufs--) {
		bool finished = fxt_ring_end(p, *tail) <= p->head;
		__u64 start = fxt_ring_end(p, *tail) - (1ULL << p->subbuf_shift);
		__u64 end = finished ? start + p->used[fxt_ring_slot(p, *tail)] : p->head;
		const __u8 *bytes = ring_env.area->data + fxt_ring_offset(p, *tail);

		size_t taken;

		assert_true(end <= fxt_ring_end(p, *tail) - FXT_SUBBUF_SPARE);
		taken = stretch_check(bytes, end - *tail, subbufs == 1 ? keep : 0);
		finished = finished && taken == end - *tail;
		end = *tail + taken;
		unit_file_add(&ring_env.drained, bytes, taken);
		*tail = finished ? fxt_ring_end(p, *tail) : end;
	}
}

/* Returns the tables that the rings' records refer to: loss tracks, and the strings of losses. */
static struct unit_file tables(void)
{
	static const char *const texts[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
		FXT_LINUX_STRINGS(TEXT)
#undef TEXT
	};
	struct unit_file file = { 0 };
	char padded[24];
	__u32 i;

	unit_file_word(&file, FXT_MAGIC);
	unit_file_word(&file, fxt_provider_info(FXT_PROVIDER_CPU(RING_CPU), 12));
	unit_file_add(&file, "fxtrec cpu 3\0\0\0", 16);
	for (i = 1; i < FXT_STR_END; i++) {
		memset(padded, 0, sizeof(padded));
		strcpy(padded, texts[i]);
		unit_file_word(&file, fxt_string(i, strlen(texts[i])));
		unit_file_add(&file, padded, 8 * fxt_words(strlen(texts[i])));
	}
	for (i = 0; i < FXTREC_RINGS; i++) {
		unit_file_word(&file, fxt_thread(FXT_THREAD_LOSSES + i));
		unit_file_word(&file, 1);
		unit_file_word(&file, FXT_KOID_LOSSES(RING_CPU, i));
	}
	return file;
}

struct verifier {
	struct ring_losses losses;
	bool ordered;
	__u64 ticks;		/* of the last event */
	__u64 pending;		/* losses reported since the last event */
};

static void verify(const struct fxt_record *r, void *context)
{
	struct verifier *v = context;
	struct fxt_lost lost;

	if (r->kind == FXT_KIND_PROVIDER_EVENT)
		v->losses.provider_events++;
	if (!fxt_lost_read(&lost, r)) {
		assert_in_range(lost.cause, 0, FXTREC_LOSSES - 1);
		assert_in_range(lost.ring, 0, FXTREC_RINGS - 1);
		assert_int_equal(lost.cpu, RING_CPU);
		assert_true(lost.records > 0);
		v->losses.reported[lost.cause] += lost.records;
		v->pending += lost.records;
		return;
	}
	if (r->kind != FXT_KIND_CONTEXT_SWITCH && r->kind != FXT_KIND_WAKEUP &&
	    r->kind != FXT_KIND_EVENT)
		return;
	v->losses.events++;
	if (v->ordered) {
		assert_true(r->ticks > v->ticks);
		assert_int_equal(r->ticks - v->ticks - 1, v->pending);
	}
	v->ticks = r->ticks;
	v->pending = 0;
}

struct ring_losses ring_verify(bool ordered)
{
	struct verifier v = { .ordered = ordered };
	struct unit_file file = tables();
	struct fxt_decoder decoder;

	unit_file_add(&file, ring_env.drained.bytes, ring_env.drained.size);
	unit_assert_valid(&file);
	fxt_decoder_init(&decoder);
	assert_int_equal(unit_walk(&file, &decoder, NULL, verify, &v, NULL), 0);
	fxt_decoder_uninit(&decoder);
	unit_file_free(&file);
	return v.losses;
}
