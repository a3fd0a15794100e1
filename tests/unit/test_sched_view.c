// SPDX-License-Identifier: GPL-2.0-only
/* The short way of reading scheduling records against the decoder's, for all records of a producer. */
#include <errno.h>

#include "codec/decoder.h"
#include "fxt/events.h"
#include "model/sched_read.h"
#include "fxt/sched.h"
#include "unit.h"

static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_LINUX_STRINGS(TEXT)
#undef TEXT
};

/* Opens a decoder with the string table of recordings. */
static void decoder_open_until(struct fxt_decoder *d, unsigned int end)
{
	unsigned int i;

	fxt_decoder_init(d);
	for (i = 1; i < end; i++) {
		struct fxt_text text = { .bytes = strings[i], .length = strlen(strings[i]) };

		assert_int_equal(fxt_provider_string_set(&d->providers, d->provider, i, &text), 0);
	}
}

static void decoder_open(struct fxt_decoder *d)
{
	decoder_open_until(d, FXT_STR_END);
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
	assert_int_equal(fxt_sched_view_read(frame.data, 3, &view, &ticks), FXT_KIND_CONTEXT_SWITCH);
	brief = view.change;
	assert_int_equal(ticks, 77);
	assert_int_equal(brief.cpu, whole.cpu);
	assert_int_equal(brief.prev, whole.prev);
	assert_int_equal(brief.prev_prio, whole.prev_prio);
	assert_int_equal(brief.next, whole.next);
	assert_int_equal(brief.next_prio, whole.next_prio);
	assert_int_equal(brief.preempted, whole.preempted);
	assert_int_equal(brief.state, whole.state);
	assert_int_equal(brief.unchosen, FXT_UNCHOSEN_NONE);
	assert_int_equal(whole.unchosen, FXT_UNCHOSEN_NONE);
	/* The state that was written is read. */
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

/* A thread that a filter doesn't choose: the brief reader skips it, and writing keeps it. */
static void unchosen(void **state)
{
	static const struct fxt_sched_thread prev = { 71, 120 }, next = { 72, 120 };
	enum fxt_unchosen which;
	struct fxt_decoder d;

	(void)state;
	decoder_open(&d);
	for (which = FXT_UNCHOSEN_OUTGOING; which <= FXT_UNCHOSEN_INCOMING; which++) {
		struct fxt_switch_view view, again;
		union fxt_sched_view brief;
		struct fxt_record r, written;
		struct fxt_frame frame;
		__u64 w[FXT_SCHED_BYTES_MAX / 8], ticks;
		__u32 bytes = fxt_sched_switch(w, 3, 77, prev, next, 0, FXT_LINUX_D);

		decode(&d, w, fxt_sched_switch_unchosen(w, bytes, which), &frame, &r);
		assert_int_equal(fxt_sched_view_read(frame.data, 3, &brief, &ticks), FXT_KIND_UNKNOWN);
		fxt_switch_view_get(&view, &r);
		assert_int_equal(view.unchosen, which);
		assert_int_equal(view.state, FXT_LINUX_D);
		fxt_switch_view_put(&view, &written, 77);
		fxt_switch_view_get(&again, &written);
		assert_int_equal(again.unchosen, which);
	}
	fxt_decoder_uninit(&d);
}

static void wakeup_compare(struct fxt_decoder *d, const __u64 *w, __u32 bytes, bool new, bool on_cpu,
			   enum fxt_waker_context context)
{
	struct fxt_wakeup_view brief, whole;
	union fxt_sched_view view;
	struct fxt_frame frame;
	struct fxt_record r;
	__u64 ticks;

	decode(d, w, bytes, &frame, &r);
	fxt_wakeup_view_get(&whole, &r);
	assert_int_equal(fxt_sched_view_read(frame.data, 6, &view, &ticks), FXT_KIND_WAKEUP);
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
	assert_int_equal(brief.context, context);
	assert_int_equal(whole.context, context);
}

static void wakeups(void **state)
{
	static const struct fxt_sched_thread woken = { 71, 98 }, usual = { 71, 120 };
	enum fxt_waker_context c;
	struct fxt_decoder d;
	__u64 w[FXT_SCHED_BYTES_MAX / 8];

	(void)state;
	decoder_open(&d);
	for (c = FXT_CONTEXT_TASK; c < FXT_CONTEXTS; c++) {
		wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, woken, 0, 72, c), false, false, c);
		wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, woken, 1, 0, c), false, true, c);
		wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, usual, 0, 72, c), false, false, c);
		wakeup_compare(&d, w, fxt_sched_waking(w, 5, 78, usual, 1, 72, c), false, true, c);
	}
	wakeup_compare(&d, w, fxt_sched_wakeup_new(w, 5, 78, woken, 72), true, false, FXT_CONTEXT_TASK);
	wakeup_compare(&d, w, fxt_sched_wakeup_new(w, 5, 78, usual, 72), true, false, FXT_CONTEXT_TASK);
	fxt_decoder_uninit(&d);
}

static int migration_read(struct fxt_decoder *d, const __u64 *w, struct fxt_migrate_view *view,
			  struct fxt_record *r)
{
	struct fxt_frame frame;

	decode(d, w, FXT_SCHED_MIGRATE_BYTES, &frame, r);
	return fxt_migrate_view_get(view, r);
}

/* The short way agrees with the decoder; with another table, or word, it isn't used. */
static void migration_brief(struct fxt_decoder *d, __u64 *w, const struct fxt_migrate_view *whole)
{
	const struct fxt_text other = { .bytes = "x", .length = 1 };
	union fxt_sched_view brief;
	__u64 ticks, process;
	unsigned int i;

	assert_true(fxt_provider_moves(d->provider, 6, &process));
	assert_int_equal(process, 1);
	assert_false(fxt_provider_moves(d->provider, 5, &process));
	assert_int_equal(fxt_stream_view_read((const __u8 *)w, 6, true, &brief, &ticks), FXT_KIND_EVENT);
	assert_int_equal(fxt_stream_view_read((const __u8 *)w, 6, false, &brief, &ticks), FXT_KIND_UNKNOWN);
	assert_int_equal(ticks, 79);
	assert_int_equal(brief.migrate.cpu, whole->cpu);
	assert_int_equal(brief.migrate.thread, whole->thread);
	assert_int_equal(brief.migrate.prio, whole->prio);
	assert_int_equal(brief.migrate.from, whole->from);
	assert_int_equal(brief.migrate.to, whole->to);
	/* Headers, of the record and of its arguments. */
	for (i = 0; i < 7; i++) {
		if (i == 1 || i == 3)
			continue;
		w[i] ^= 1 << 18;
		assert_false(fxt_migrate_view_read((const __u8 *)w, 6, &brief.migrate, &ticks));
		w[i] ^= 1 << 18;
	}
	/* No CPU has that number. */
	w[6] |= 1ULL << 63;
	assert_false(fxt_migrate_view_read((const __u8 *)w, 6, &brief.migrate, &ticks));
	w[6] ^= 1ULL << 63;
	assert_int_equal(fxt_provider_string_set(&d->providers, d->provider, FXT_STR_ORIG_CPU, &other), 0);
	assert_false(fxt_provider_moves(d->provider, 6, &process));
}

/* Migrations as a producer writes them, and as they are built; no other event is one. */
static void migrations(void **state)
{
	static const struct fxt_sched_thread moved = { 71, -1 };
	const struct fxt_text name = { .bytes = "fxtrec cpu 6", .length = 12 };
	struct fxt_migrate_view view = { 0 }, again = { 0 };
	__u64 w[FXT_SCHED_MIGRATE_BYTES / 8];
	struct fxt_record r;
	struct fxt_decoder d;

	(void)state;
	decoder_open(&d);
	fxt_sched_migrate(w, 79, moved, 5, 65535);
	assert_int_equal(fxt_provider_thread_set(&d.providers, d.provider,
						 FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS), 1,
						 FXT_KOID_TRACK(6, FXT_TRACK_MIGRATIONS)), 0);
	/* Not of a CPU's provider. */
	assert_int_equal(migration_read(&d, w, &view, &r), -ENOENT);
	memcpy(d.provider->name, name.bytes, name.length + 1);
	d.provider->name_bytes = name.length;
	d.provider->id = FXT_PROVIDER_CPU(6);
	assert_int_equal(migration_read(&d, w, &view, &r), 0);
	assert_int_equal(r.ticks, 79);
	assert_int_equal(view.cpu, 6);
	assert_int_equal(view.thread, 71);
	assert_int_equal(view.prio, -1);
	assert_int_equal(view.from, 5);
	assert_int_equal(view.to, 65535);
	migration_brief(&d, w, &view);
	fxt_migrate_view_put(&view, &r, 80);
	r.provider = d.provider;
	assert_int_equal(r.ticks, 80);
	assert_int_equal(fxt_migrate_view_get(&again, &r), 0);
	assert_memory_equal(&view, &again, sizeof(view));
	/* An argument less, another thread, another name. */
	r.arg_count--;
	assert_int_equal(fxt_migrate_view_get(&again, &r), -ENOENT);
	r.arg_count++;
	r.thread.thread--;
	assert_int_equal(fxt_migrate_view_get(&again, &r), -ENOENT);
	r.thread.thread++;
	r.name.length--;
	assert_int_equal(fxt_migrate_view_get(&again, &r), -ENOENT);
	fxt_decoder_uninit(&d);
}

/* In a recording without contexts, other strings may have their indices: the decoder handles such a table. */
static void older(void **state)
{
	const struct fxt_text other = { .bytes = "irq", .length = 3 };
	struct fxt_decoder d;

	(void)state;
	decoder_open(&d);
	assert_int_equal(fxt_provider_string_set(&d.providers, d.provider, FXT_STR_CONTEXT, &other), 0);
	assert_false(fxt_provider_is_recording(d.provider));
	fxt_decoder_uninit(&d);
	decoder_open_until(&d, FXT_STR_CONTEXT);
	assert_true(fxt_provider_is_recording(d.provider));
	fxt_decoder_uninit(&d);
}

/* The decoder handles another table, or a record with an additional bit. */
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
	assert_int_equal(fxt_sched_view_read(frame.data, 3, &view, &ticks), FXT_KIND_UNKNOWN);
	w[0] &= ~(1ULL << 45);
	w[5] ^= 1ULL << 16;
	assert_int_equal(fxt_sched_view_read(frame.data, 3, &view, &ticks), FXT_KIND_UNKNOWN);
	fxt_decoder_uninit(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switches),
		cmocka_unit_test(unchosen),
		cmocka_unit_test(wakeups),
		cmocka_unit_test(migrations),
		cmocka_unit_test(others),
		cmocka_unit_test(older),
	};

	return unit_run(tests);
}
