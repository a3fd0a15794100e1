// SPDX-License-Identifier: GPL-2.0-only
/* The short way of reading scheduling records against the decoder's, for all that a producer writes. */
#include "model/sched_view.h"
#include "codec/decoder.h"
#include "fxt/sched.h"
#include "unit.h"

static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_LINUX_STRINGS(TEXT)
#undef TEXT
};

/* A decoder whose records have the string table of recordings. */
static void decoder_open(struct fxt_decoder *d)
{
	unsigned int i;

	fxt_decoder_init(d);
	for (i = 1; i < FXT_STR_END; i++) {
		struct fxt_text text = { .bytes = strings[i], .length = strlen(strings[i]) };

		assert_int_equal(fxt_provider_string_set(&d->providers, d->provider, i, &text), 0);
	}
}

static void decode(struct fxt_decoder *d, const __u64 *w, __u32 bytes, struct fxt_frame *frame,
		   struct fxt_record *r)
{
	assert_int_equal(fxt_frame_read(frame, w, bytes, 0), 0);
	assert_int_equal(fxt_decoder_read(d, frame, r), 0);
}

static void switch_compare(struct fxt_decoder *d, struct fxt_sched_thread prev,
			   struct fxt_sched_thread next, int preempted, enum fxt_linux_state state)
{
	struct fxt_switch_view brief, whole;
	union fxt_sched_view view;
	struct fxt_frame frame;
	struct fxt_record r;
	__u64 w[8], ticks;

	decode(d, w, fxt_sched_switch(w, 3, 77, prev, next, preempted, state), &frame, &r);
	fxt_switch_view_get(&whole, &r);
	assert_int_equal(fxt_sched_view_read(&frame, 3, &view, &ticks), FXT_KIND_CONTEXT_SWITCH);
	brief = view.change;
	assert_int_equal(ticks, 77);
	assert_int_equal(brief.cpu, whole.cpu);
	assert_int_equal(brief.prev, whole.prev);
	assert_int_equal(brief.prev_prio, whole.prev_prio);
	assert_int_equal(brief.next, whole.next);
	assert_int_equal(brief.next_prio, whole.next_prio);
	assert_int_equal(brief.preempted, whole.preempted);
	assert_int_equal(brief.state, whole.state);
	/* What was written is what is read. */
	assert_int_equal(brief.state, preempted || !prev.tid ? FXT_LINUX_R : state);
	assert_int_equal(brief.preempted, preempted && prev.tid);
}

static void switches(void **state)
{
	static const struct fxt_sched_thread idle = { 0, 120 }, a = { 71, -1 }, b = { 72, 139 };
	struct fxt_decoder d;
	int letter, preempted;

	(void)state;
	decoder_open(&d);
	assert_true(fxt_provider_is_recording(d.provider));
	for (letter = FXT_LINUX_R; letter <= FXT_LINUX_I; letter++) {
		for (preempted = 0; preempted < 2; preempted++) {
			switch_compare(&d, a, b, preempted, letter);
			switch_compare(&d, a, idle, preempted, letter);
			switch_compare(&d, idle, b, preempted, letter);
		}
	}
	fxt_decoder_uninit(&d);
}

static void wakeup_compare(struct fxt_decoder *d, const __u64 *w, __u32 bytes, bool new, bool on_cpu)
{
	struct fxt_wakeup_view brief, whole;
	union fxt_sched_view view;
	struct fxt_frame frame;
	struct fxt_record r;
	__u64 ticks;

	decode(d, w, bytes, &frame, &r);
	fxt_wakeup_view_get(&whole, &r);
	assert_int_equal(fxt_sched_view_read(&frame, 6, &view, &ticks), FXT_KIND_WAKEUP);
	brief = view.wakeup;
	assert_int_equal(brief.cpu, 6);
	assert_int_equal(ticks, 78);
	assert_int_equal(brief.thread, whole.thread);
	assert_int_equal(brief.prio, whole.prio);
	assert_int_equal(brief.target, whole.target);
	assert_int_equal(brief.waker, whole.waker);
	assert_int_equal(brief.waker_known, whole.waker_known);
	assert_int_equal(brief.new, new);
	assert_int_equal(whole.new, new);
	assert_int_equal(brief.on_cpu, on_cpu);
	assert_int_equal(whole.on_cpu, on_cpu);
}

static void wakeups(void **state)
{
	static const struct fxt_sched_thread woken = { 71, 98 }, usual = { 71, 120 };
	struct fxt_decoder d;
	__u64 w[8];

	(void)state;
	decoder_open(&d);
	wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, woken, 0, 72), false, false);
	wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, woken, 1, 0), false, true);
	wakeup_compare(&d, w, fxt_sched_wakeup_new(w, 5, 78, woken, 72), true, false);
	wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, usual, 0, 72), false, false);
	wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, usual, 1, 72), false, true);
	wakeup_compare(&d, w, fxt_sched_wakeup_new(w, 5, 78, usual, 72), true, false);
	fxt_decoder_uninit(&d);
}

/* Another table, or a record with a bit more, is the decoder's. */
static void others(void **state)
{
	static const struct fxt_sched_thread a = { 71, 120 }, b = { 72, 120 };
	union fxt_sched_view view;
	struct fxt_decoder d;
	struct fxt_frame frame;
	struct fxt_record r;
	__u64 w[8], ticks;

	(void)state;
	fxt_decoder_init(&d);
	assert_false(fxt_provider_is_recording(d.provider));
	fxt_decoder_uninit(&d);
	decoder_open(&d);
	decode(&d, w, fxt_sched_switch(w, 3, 77, a, b, 0, FXT_LINUX_S), &frame, &r);
	w[0] |= 1ULL << 45;
	assert_int_equal(fxt_sched_view_read(&frame, 3, &view, &ticks), FXT_KIND_UNKNOWN);
	w[0] &= ~(1ULL << 45);
	w[5] ^= 1ULL << 16;
	assert_int_equal(fxt_sched_view_read(&frame, 3, &view, &ticks), FXT_KIND_UNKNOWN);
	fxt_decoder_uninit(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switches),
		cmocka_unit_test(wakeups),
		cmocka_unit_test(others),
	};

	return unit_run(tests);
}
