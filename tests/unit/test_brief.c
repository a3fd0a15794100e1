// SPDX-License-Identifier: GPL-2.0-only
/* Records in brief: the short way of encoding gives the same words as the records of their views. */
#include "codec/strings.h"
#include "formats/fxt/brief.h"
#include "unit.h"

static __u16 inline_ref(void *arg, const struct fxt_text *text)
{
	(void)arg;
	return fxt_ref_inline(text->length);
}

static void expect_same(struct fxt_brief_encoder *encoder, struct fxt_strings *strings, enum fxt_kind kind,
			const union fxt_sched_view *view)
{
	struct fxt_record brief = { .kind = kind, .timed = true, .ticks = 77, .view = view }, whole = { 0 };
	struct fxt_words words = { 0 }, expected = { 0 };

	if (kind == FXT_KIND_WAKEUP)
		fxt_wakeup_view_put(&view->wakeup, &whole, 77);
	else
		fxt_switch_view_put(&view->change, &whole, 77);
	assert_int_equal(fxt_encode(&expected, &whole, fxt_strings_ref, strings), 0);
	assert_true(fxt_brief_encode(encoder, &words, &brief, fxt_strings_ref, strings));
	assert_int_equal(words.count, expected.count);
	assert_memory_equal(words.w, expected.w, 8 * expected.count);
	/* With a text that isn't in the table, the short way gives up; without arguments, there is no such text. */
	if (whole.arg_count) {
		assert_false(fxt_brief_encode(encoder, &words, &brief, inline_ref, NULL));
		assert_int_equal(words.count, expected.count);
	}
	fxt_words_uninit(&words);
	fxt_words_uninit(&expected);
}

static void switches(void **state)
{
	struct fxt_brief_encoder encoder = { 0 };
	struct fxt_strings strings;
	unsigned int i;

	(void)state;
	assert_int_equal(fxt_strings_init(&strings), 0);
	for (i = 0; i < 4 * (FXT_LINUX_I + 1); i++) {
		union fxt_sched_view view = { .change = {
			.cpu = 3 + i, .prev = i & 1 ? 0 : 11, .next = i & 2 ? 0 : 12, .prev_prio = -1, .next_prio = 98,
			.state = (enum fxt_linux_state)(i / 4), .preempted = i == 8,
		} };

		view.change.state = view.change.preempted ? FXT_LINUX_R : view.change.state;
		expect_same(&encoder, &strings, FXT_KIND_CONTEXT_SWITCH, &view);
	}
	fxt_strings_uninit(&strings);
}

static void wakeups(void **state)
{
	struct fxt_brief_encoder encoder = { 0 };
	struct fxt_strings strings;
	unsigned int i;

	(void)state;
	assert_int_equal(fxt_strings_init(&strings), 0);
	for (i = 0; i < 16 * FXT_CONTEXTS; i++) {
		union fxt_sched_view view = { .wakeup = {
			.cpu = 1, .target = 5, .thread = 21, .waker = 22, .waker_known = i & 1, .new = i & 2, .on_cpu = i & 4,
			.prio = i & 8 ? FXT_PRIO_DEFAULT : 97, .context = (enum fxt_waker_context)(i / 16),
		} };

		expect_same(&encoder, &strings, FXT_KIND_WAKEUP, &view);
	}
	fxt_strings_uninit(&strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switches),
		cmocka_unit_test(wakeups),
	};

	return unit_run(tests);
}
