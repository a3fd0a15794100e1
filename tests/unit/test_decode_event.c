// SPDX-License-Identifier: GPL-2.0-only
/* The decoder: events of every type. */
#include "unit.h"

/* Decodes a golden event, and asserts the common properties of all but two of them. */
static const struct fxt_record *event(enum golden_id id, enum fxt_event_type type, __u64 words)
{
	const struct fxt_record *r = unit_decode_golden(id);
	unsigned int args = r->arg_count;

	assert_int_equal(r->event.type, type);
	assert_true(r->timed);
	assert_int_equal(r->thread.ref, 5);
	assert_int_equal(r->thread.process, 100);
	assert_int_equal(r->thread.thread, 101);
	if (type != FXT_EVENT_DURATION_END) {
		assert_int_equal(r->header, fxt_event(type, words, args, 5, 1, 2));
		unit_assert_text(&r->category, "cat");
		unit_assert_text(&r->name, "name");
	}
	return r;
}

static void instant(void **state)
{
	(void)state;
	assert_int_equal(event(GOLDEN_instant, FXT_EVENT_INSTANT, 2)->ticks, 0x0123456789abcdef);
}

static void instant_inline(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_instant_inline);

	(void)state;
	assert_int_equal(r->header, fxt_event(FXT_EVENT_INSTANT, 7, 0, 0, fxt_ref_inline(3),
					      fxt_ref_inline(9)));
	assert_int_equal(r->ticks, 1000000);
	assert_int_equal(r->thread.ref, 0);
	assert_int_equal(r->thread.process, 200);
	assert_int_equal(r->thread.thread, 201);
	unit_assert_text(&r->category, "gpu");
	unit_assert_text(&r->name, "draw call");
	/* The text isn't copied. */
	assert_ptr_equal(r->name.bytes, r->frame.data + 40);
}

static void counter(void **state)
{
	const struct fxt_record *r = event(GOLDEN_counter, FXT_EVENT_COUNTER, 4);

	(void)state;
	assert_int_equal(r->event.id, 0x800000000000001f);
	assert_int_equal(r->arg_count, 1);
	assert_int_equal(r->args[0].uint32, 77);
}

static void duration(void **state)
{
	const struct fxt_record *r;

	(void)state;
	event(GOLDEN_duration_begin, FXT_EVENT_DURATION_BEGIN, 2);
	r = event(GOLDEN_duration_end, FXT_EVENT_DURATION_END, 2);
	unit_assert_text(&r->category, "");
	unit_assert_text(&r->name, "");
	r = event(GOLDEN_duration_complete, FXT_EVENT_DURATION_COMPLETE, 3);
	assert_int_equal(r->ticks, 1000);
	assert_int_equal(r->event.end, 2000);
}

static void correlated(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		const struct fxt_record *r = event(GOLDEN_async_begin + i,
						   FXT_EVENT_ASYNC_BEGIN + i, 3);

		assert_int_equal(r->event.id, 0xa000000000000000 | (5 + i));
	}
}

static void unregistered(void **state)
{
	static const __u8 bytes[] = {
		/* thread 9, category 0x7001, name 0x7002: none is registered */
		0x24, 0x00, 0x00, 0x09, 0x01, 0x70, 0x02, 0x70,
		0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	};
	const struct fxt_record *r = unit_decode(bytes, sizeof(bytes));

	(void)state;
	assert_int_equal(r->kind, FXT_KIND_EVENT);
	assert_true(r->thread.unknown);
	assert_int_equal(r->thread.thread, 0);
	assert_true(r->category.unknown);
	assert_int_equal(r->category.length, 0);
	assert_true(r->name.unknown);
	assert_int_equal(r->name.ref, 0x7002);
}

/* Every golden record, with its size reduced: malformed, or with arguments that end too early. */
static void shortened(void **state)
{
	enum golden_id id;

	(void)state;
	for (id = 0; id < GOLDEN_END; id++) {
		struct golden g = golden_get(id);
		__u8 *bytes = malloc(g.size);
		size_t words;

		for (words = 1; words < g.size / 8; words++) {
			const struct fxt_record *r;

			memcpy(bytes, g.bytes, g.size);
			bytes[0] = (bytes[0] & 15) | words << 4;
			bytes[1] = words >> 4;
			r = unit_decode(bytes, 8 * words);
			if (r->kind != FXT_KIND_MALFORMED)
				fail_msg("%s of %zu words", g.name, words);
			assert_int_equal(r->fault.kind, g.kind);
			assert_non_null(r->fault.text);
			assert_in_range(r->fault.offset, 8, 8 * words);
		}
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instant),
		cmocka_unit_test(instant_inline),
		cmocka_unit_test(counter),
		cmocka_unit_test(duration),
		cmocka_unit_test(correlated),
		cmocka_unit_test(unregistered),
		cmocka_unit_test(shortened),
	};
	int failed = unit_run(tests);

	unit_decode_free();
	return failed;
}
