// SPDX-License-Identifier: GPL-2.0-only
/* The decoder: metadata, initialization, string and thread records. */
#include "unit.h"
#include "model/cpu.h"

static void magic(void **state)
{
	(void)state;
	assert_int_equal(unit_decode_golden(GOLDEN_magic)->header, FXT_MAGIC);
}

static void provider_info(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_provider_info);
	__u32 cpu;

	(void)state;
	assert_int_equal(r->header, fxt_provider_info(0x89abcdef, 12));
	assert_int_equal(r->of_provider.id, 0x89abcdef);
	assert_false(r->of_provider.again);
	unit_assert_text(&r->name, "fxtrec cpu 3");
	assert_int_equal(r->provider->id, 0x89abcdef);
	assert_int_equal(r->provider->ticks_per_second, 1000000000);
	assert_int_equal(r->provider->name_bytes, 12);
	/* The name is a CPU's, the id isn't. */
	assert_true(fxt_provider_cpu(r->provider, &cpu) < 0);
}

static void provider_section(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_provider_section);

	(void)state;
	assert_int_equal(r->header, fxt_provider_section(7));
	assert_int_equal(r->of_provider.id, 7);
	assert_false(r->of_provider.unknown);
	assert_int_equal(r->provider->id, 7);
}

static void provider_event(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_provider_event);

	(void)state;
	assert_int_equal(r->header, fxt_provider_buffer_full(7));
	assert_int_equal(r->of_provider.id, 7);
	assert_int_equal(r->of_provider.event, 0);
	assert_false(r->of_provider.unknown);
}

static void initialization(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_initialization);

	(void)state;
	assert_int_equal(r->header, FXT_HEADER(FXT_RECORD_INITIALIZATION, 2));
	assert_int_equal(r->ticks_per_second, 19200000);
	assert_int_equal(r->provider->ticks_per_second, 19200000);
	assert_int_equal(fxt_provider_ns(r->provider, 19200000ULL * 3600 + 192),
			 3600000010000ULL);
	assert_int_equal(fxt_provider_ns(r->provider, ~0ULL), ~0ULL);
}

static void string(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_string);

	(void)state;
	assert_int_equal(r->header, fxt_string(0x1234, 6));
	assert_int_equal(r->index, 0x1234);
	unit_assert_text(&r->text, "h\xc3\xa9llo");
	r = unit_decode_golden(GOLDEN_string_exact);
	assert_int_equal(r->header, fxt_string(0x7fff, 8));
	assert_int_equal(r->index, 0x7fff);
	unit_assert_text(&r->text, "12345678");
	r = unit_decode_golden(GOLDEN_string_empty);
	assert_int_equal(r->header, fxt_string(9, 0));
	unit_assert_text(&r->text, "");
}

static void thread(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_thread);

	(void)state;
	assert_int_equal(r->header, fxt_thread(255));
	assert_int_equal(r->index, 255);
	assert_int_equal(r->thread.process, 0x1122334455667788);
	assert_int_equal(r->thread.thread, 0x99);
}

/* A size of 3 words for a record that needs 2. */
static void longer_than_known(void **state)
{
	static const __u8 bytes[] = {
		0x31, 0, 0, 0, 0, 0, 0, 0,
		5, 0, 0, 0, 0, 0, 0, 0,
		1, 2, 3, 4, 5, 6, 7, 8,
	};
	const struct fxt_record *r = unit_decode(bytes, sizeof(bytes));

	(void)state;
	assert_int_equal(r->kind, FXT_KIND_INITIALIZATION);
	assert_int_equal(r->ticks_per_second, 5);
	assert_int_equal(r->used, 16);
}

static void unknown_types(void **state)
{
	static const __u8 first[][8] = {
		{ 0x10, 0, 0x05 },			/* metadata type 5 */
		{ 0x10, 0, 0x14 },			/* trace info type 1 */
		{ 0x1b }, { 0x1c }, { 0x1d }, { 0x1e },	/* record types 11 to 14 */
		{ 0x14, 0, 0x0b },			/* event type 11 */
		{ 0x18, 0, 0, 0, 0, 0, 0, 0x30 },	/* scheduling type 3 */
		{ 0x1a, 0, 0x03 },			/* profiler subtype 3 */
		{ 0x1f, 0, 0, 0, 0x10 },		/* large type 1 */
		{ 0x1f, 0, 0, 0, 0, 0x02 },		/* blob format 2 */
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		const struct fxt_record *r = unit_decode(first[i], 8);

		assert_int_equal(r->kind, FXT_KIND_UNKNOWN);
		assert_false(r->timed);
		assert_int_equal(r->arg_count, 0);
		assert_int_equal(r->used, 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(magic),
		cmocka_unit_test(provider_info),
		cmocka_unit_test(provider_section),
		cmocka_unit_test(provider_event),
		cmocka_unit_test(initialization),
		cmocka_unit_test(string),
		cmocka_unit_test(thread),
		cmocka_unit_test(longer_than_known),
		cmocka_unit_test(unknown_types),
	};
	int failed = unit_run(tests);

	unit_decode_free();
	return failed;
}
