// SPDX-License-Identifier: GPL-2.0-only
/* Cutting a copy of a ring at a time, and the threads that the copy names. */
#include <stddef.h>

#include "fxt/loss.h"
#include "fxt/sched.h"
#include "source/ring_copy.h"
#include "unit.h"

#define LOST_FROM	100u
#define LOST_TO		300u

static __u64 words[FXT_LOSS_BYTES_MAX / 8 + FXT_SCHED_BYTES_MAX / 8];

/* Returns a copy with a loss, and the switch that was recorded next. */
static struct fxt_ring_copy filled(void)
{
	struct fxt_sched_thread thread = { 1, 120 };
	__u32 bytes = fxt_loss_write(words, 0, FXTREC_RING_SCHED, FXTREC_LOST_NESTED, 5, LOST_FROM, LOST_TO);

	bytes += fxt_sched_switch(words + bytes / 8, 0, LOST_TO, thread, thread, 0, FXT_LINUX_S);
	return (struct fxt_ring_copy){ .records = words, .words = bytes / 8 };
}

/* A loss that reaches into the remaining time belongs to it. */
static void losses(void **state)
{
	struct fxt_ring_copy copy = filled();
	size_t all = copy.words;

	(void)state;
	assert_int_equal(fxt_ring_copy_cut(&copy, LOST_FROM + 1, 0), LOST_FROM);
	assert_int_equal(copy.words, all);
	assert_int_equal(fxt_ring_copy_cut(&copy, LOST_TO + 1, 0), LOST_TO + 1);
	assert_int_equal(copy.words, 0);
}

static void add(__u64 tid, void *arg)
{
	*(__u64 *)arg |= 1ull << tid;
}

/* A migration alone names its thread. */
static void threads(void **state)
{
	__u64 seen = 0;
	__u32 words_used;
	__u64 w[FXT_SCHED_BYTES_MAX / 8 + FXT_SCHED_MIGRATE_BYTES / 8];
	struct fxt_sched_thread prev = { 1, 120 }, next = { 2, 120 }, moved = { 3, 120 };

	(void)state;
	words_used = fxt_sched_switch(w, 0, LOST_TO, prev, next, 0, FXT_LINUX_S) / 8;
	fxt_sched_migrate(w + words_used, LOST_TO, moved, 0, 1);
	words_used += FXT_SCHED_MIGRATE_BYTES / 8;
	fxt_ring_copy_threads(&(struct fxt_ring_copy){ .records = w, .words = words_used }, add, &seen);
	assert_int_equal(seen, 1 << 1 | 1 << 2 | 1 << 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(losses),
		cmocka_unit_test(threads),
	};

	return unit_run(tests);
}
