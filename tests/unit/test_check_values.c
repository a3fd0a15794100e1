// SPDX-License-Identifier: GPL-2.0-only
/* The validator: references, texts, types, values, and notes. */
#include "unit.h"

/* A golden record with changed bytes at an offset, and the expected finding. */
struct change {
	enum golden_id id;
	unsigned int at, size;
	__u8 bytes[8];
	enum fxt_finding_kind kind;
	unsigned int offset;
};

static void changes_check(const struct change *changes, size_t count)
{
	size_t base, i;

	for (i = 0; i < count; i++) {
		const struct change *c = &changes[i];
		struct unit_file file = unit_file_make(c->id, &base);

		assert_true(base + c->at + c->size <= file.size);
		memcpy(file.bytes + base + c->at, c->bytes, c->size);
		unit_assert_finding(&file, c->kind, base + c->offset);
		unit_file_free(&file);
	}
}

#define CHECK(changes)	changes_check(changes, sizeof(changes) / sizeof((changes)[0]))

static void references(void **state)
{
	static const struct change strings[] = {
		{ GOLDEN_instant, 4, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 4 },
		{ GOLDEN_instant, 6, 2, { 0xff, 0x7f }, FXT_FINDING_REFERENCE, 6 },
		{ GOLDEN_arg_int32, 18, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 18 },
		{ GOLDEN_arg_string, 20, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 20 },
		{ GOLDEN_blob, 2, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 2 },
		{ GOLDEN_userspace_object, 3, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 3 },
		{ GOLDEN_large_blob, 8, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 8 },
		{ GOLDEN_large_blob_bare, 8, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 8 },
		{ GOLDEN_large_blob_bare, 10, 2, { 5, 0 }, FXT_FINDING_REFERENCE, 10 },
	};
	static const struct change threads[] = {
		{ GOLDEN_instant, 3, 1, { 7 }, FXT_FINDING_REFERENCE, 3 },
		{ GOLDEN_userspace_object, 2, 1, { 7 }, FXT_FINDING_REFERENCE, 2 },
		{ GOLDEN_legacy_switch, 3, 1, { 0x73 }, FXT_FINDING_REFERENCE, 3 },
		{ GOLDEN_legacy_switch, 4, 1, { 0x70 }, FXT_FINDING_REFERENCE, 4 },
		{ GOLDEN_log, 4, 1, { 7 }, FXT_FINDING_REFERENCE, 4 },
		{ GOLDEN_module, 2, 1, { 0x70 }, FXT_FINDING_REFERENCE, 2 },
		{ GOLDEN_mmap, 2, 1, { 0x71 }, FXT_FINDING_REFERENCE, 2 },
		{ GOLDEN_backtrace, 2, 1, { 0x72 }, FXT_FINDING_REFERENCE, 2 },
		{ GOLDEN_large_blob, 12, 1, { 0x71 }, FXT_FINDING_REFERENCE, 12 },
	};
	static const struct change providers[] = {
		{ GOLDEN_provider_section, 2, 1, { 0x82 }, FXT_FINDING_REFERENCE, 2 },
		{ GOLDEN_provider_event, 2, 1, { 0x83 }, FXT_FINDING_REFERENCE, 2 },
	};

	(void)state;
	CHECK(strings);
	CHECK(threads);
	CHECK(providers);
}

static void types(void **state)
{
	static const struct change changes[] = {
		{ GOLDEN_provider_section, 2, 1, { 0x75 }, FXT_FINDING_TYPE, 2 },
		{ GOLDEN_provider_section, 2, 1, { 0x70 }, FXT_FINDING_TYPE, 2 },
		{ GOLDEN_provider_event, 6, 1, { 0x10 }, FXT_FINDING_TYPE, 6 },
		{ GOLDEN_magic, 2, 1, { 0x14 }, FXT_FINDING_TYPE, 2 },
		{ GOLDEN_magic, 0, 1, { 0x1b }, FXT_FINDING_TYPE, 0 },
		{ GOLDEN_magic, 0, 1, { 0x1e }, FXT_FINDING_TYPE, 0 },
		{ GOLDEN_instant, 2, 1, { 0x0b }, FXT_FINDING_TYPE, 2 },
		{ GOLDEN_instant, 2, 1, { 0x0f }, FXT_FINDING_TYPE, 2 },
		{ GOLDEN_arg_null, 16, 1, { 0x1b }, FXT_FINDING_TYPE, 16 },
		{ GOLDEN_arg_null, 16, 1, { 0x1f }, FXT_FINDING_TYPE, 16 },
		{ GOLDEN_blob, 6, 1, { 0 }, FXT_FINDING_TYPE, 6 },
		{ GOLDEN_blob, 6, 1, { 4 }, FXT_FINDING_TYPE, 6 },
		{ GOLDEN_wakeup, 7, 1, { 0x30 }, FXT_FINDING_TYPE, 7 },
		{ GOLDEN_wakeup, 7, 1, { 0xf0 }, FXT_FINDING_TYPE, 7 },
		{ GOLDEN_mmap, 2, 1, { 0x53 }, FXT_FINDING_TYPE, 2 },
		{ GOLDEN_large_blob, 4, 1, { 0x10 }, FXT_FINDING_TYPE, 4 },
		{ GOLDEN_large_blob, 5, 1, { 0x02 }, FXT_FINDING_TYPE, 5 },
	};

	(void)state;
	CHECK(changes);
}

static void values(void **state)
{
	static const struct change changes[] = {
		{ GOLDEN_magic, 3, 1, { 0x47 }, FXT_FINDING_VALUE, 3 },
		{ GOLDEN_magic, 6, 1, { 0x17 }, FXT_FINDING_VALUE, 6 },
		{ GOLDEN_magic, 7, 1, { 0x80 }, FXT_FINDING_VALUE, 7 },
		{ GOLDEN_initialization, 8, 8, { 0 }, FXT_FINDING_VALUE, 8 },
		{ GOLDEN_string, 2, 2, { 0 }, FXT_FINDING_VALUE, 2 },
		{ GOLDEN_thread, 2, 1, { 0 }, FXT_FINDING_VALUE, 2 },
		{ GOLDEN_duration_complete, 16, 2, { 0xe7, 0x03 }, FXT_FINDING_VALUE, 16 },
		{ GOLDEN_context_switch, 4, 1, { 0x60 }, FXT_FINDING_VALUE, 4 },
		{ GOLDEN_context_switch, 4, 1, { 0xf0 }, FXT_FINDING_VALUE, 4 },
		{ GOLDEN_legacy_switch, 3, 1, { 0x56 }, FXT_FINDING_VALUE, 3 },
		{ GOLDEN_legacy_switch, 3, 1, { 0x51 }, FXT_FINDING_VALUE, 3 },
	};
	size_t base;
	struct unit_file file = unit_file_make(GOLDEN_duration_complete, &base);

	(void)state;
	CHECK(changes);
	/* A duration may end when it begins, and a context switch may have any of six states. */
	memcpy(file.bytes + base + 16, file.bytes + base + 8, 8);
	unit_assert_valid(&file);
	unit_file_free(&file);
	file = unit_file_make(GOLDEN_context_switch, &base);
	for (file.bytes[base + 4] = 0; file.bytes[base + 4] <= 0x50; file.bytes[base + 4] += 0x10)
		unit_assert_valid(&file);
	unit_file_free(&file);
}

static void texts(void **state)
{
	static const struct change changes[] = {
		{ GOLDEN_provider_info, 8, 1, { 0xff }, FXT_FINDING_TEXT, 8 },
		{ GOLDEN_provider_info, 19, 1, { 0xc3 }, FXT_FINDING_TEXT, 19 },
		{ GOLDEN_string, 9, 2, { 0xc3, 'x' }, FXT_FINDING_TEXT, 9 },
		{ GOLDEN_instant_inline, 32, 1, { 0x80 }, FXT_FINDING_TEXT, 32 },
		{ GOLDEN_instant_inline, 48, 1, { 0xc3 }, FXT_FINDING_TEXT, 48 },
		{ GOLDEN_arg_string_inline, 24, 1, { 0xff }, FXT_FINDING_TEXT, 24 },
		{ GOLDEN_arg_string_inline, 34, 1, { 0xff }, FXT_FINDING_TEXT, 34 },
		{ GOLDEN_blob_inline, 8, 1, { 0xff }, FXT_FINDING_TEXT, 8 },
		{ GOLDEN_userspace_object_inline, 24, 1, { 0xff }, FXT_FINDING_TEXT, 24 },
		{ GOLDEN_kernel_object, 16, 1, { 0xff }, FXT_FINDING_TEXT, 16 },
		{ GOLDEN_log, 16, 1, { 0xff }, FXT_FINDING_TEXT, 16 },
		{ GOLDEN_module, 16, 1, { 0xff }, FXT_FINDING_TEXT, 16 },
		{ GOLDEN_large_blob, 16, 1, { 0xff }, FXT_FINDING_TEXT, 16 },
		{ GOLDEN_large_blob_inline, 16, 1, { 0xff }, FXT_FINDING_TEXT, 16 },
		/* In five bytes, ill-formed from the second on. */
		{ GOLDEN_log, 17, 2, { 0xc0, 0x80 }, FXT_FINDING_TEXT, 17 },
		{ GOLDEN_log, 17, 3, { 0xe0, 0x9f, 0xbf }, FXT_FINDING_TEXT, 17 },
		{ GOLDEN_log, 17, 3, { 0xed, 0xa0, 0x80 }, FXT_FINDING_TEXT, 17 },
		{ GOLDEN_log, 17, 4, { 0xf0, 0x8f, 0xbf, 0xbf }, FXT_FINDING_TEXT, 17 },
		{ GOLDEN_log, 17, 4, { 0xf4, 0x90, 0x80, 0x80 }, FXT_FINDING_TEXT, 17 },
		{ GOLDEN_log, 17, 4, { 0xf5, 0x80, 0x80, 0x80 }, FXT_FINDING_TEXT, 17 },
		{ GOLDEN_log, 17, 4, { 'a', 0xf0, 0x9f, 0x98 }, FXT_FINDING_TEXT, 18 },
	};
	/* Binary data may have any bytes. */
	static const unsigned int binary[][3] = {
		{ GOLDEN_module, 24, 1 }, { GOLDEN_blob, 8, 1 }, { GOLDEN_arg_blob, 24, 1 },
		{ GOLDEN_large_blob, 48, 1 },
	};
	size_t base, i;

	(void)state;
	CHECK(changes);
	for (i = 0; i < sizeof(binary) / sizeof(binary[0]); i++) {
		struct unit_file file = unit_file_make(binary[i][0], &base);

		file.bytes[base + binary[i][1]] = 0xff;
		unit_assert_valid(&file);
		unit_file_free(&file);
	}
}

/* Makes a log record of length bytes of text. */
static struct unit_file log_make(__u32 length)
{
	struct unit_file file = { 0 };
	__u8 *text = calloc(fxt_words(length), 8);

	memset(text, 'x', length);
	unit_file_add(&file, golden_tables, golden_tables_size);
	unit_file_word(&file, fxt_log(length, 5));
	unit_file_word(&file, 1);
	unit_file_add(&file, text, 8 * fxt_words(length));
	free(text);
	return file;
}

static void text_length(void **state)
{
	struct unit_file file = log_make(32000);

	(void)state;
	unit_assert_valid(&file);
	unit_file_free(&file);
	file = log_make(32001);
	unit_assert_finding(&file, FXT_FINDING_TEXT, golden_tables_size + 2);
	unit_file_free(&file);
}

static void notes(void **state)
{
	static const struct change changes[] = {
		{ GOLDEN_module_inline, 24, 1, { 9 }, FXT_FINDING_NOTE, 24 },
	};
	struct unit_file file = { 0 };

	(void)state;
	CHECK(changes);
	unit_file_add(&file, golden_tables + 8, golden_tables_size - 8);
	unit_assert_finding(&file, FXT_FINDING_NOTE, 0);
	unit_file_free(&file);
	/* Provider 7 a second time. */
	unit_file_add(&file, golden_tables, golden_tables_size);
	unit_file_add(&file, golden_tables + 8, 16);
	unit_assert_finding(&file, FXT_FINDING_NOTE, golden_tables_size + 2);
	unit_file_free(&file);
	/* A weight that isn't an int32. */
	unit_file_add(&file, golden_tables, golden_tables_size);
	unit_file_word(&file, fxt_wakeup(5, 1, 0));
	unit_file_word(&file, 1);
	unit_file_word(&file, 103);
	unit_file_word(&file, fxt_arg_uint32(fxt_ref_inline(6), 120) + (1 << 4));
	unit_file_add(&file, "weight\0", 8);
	unit_assert_finding(&file, FXT_FINDING_NOTE, golden_tables_size + 24);
	unit_file_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(references),
		cmocka_unit_test(types),
		cmocka_unit_test(values),
		cmocka_unit_test(texts),
		cmocka_unit_test(text_length),
		cmocka_unit_test(notes),
	};

	return unit_run(tests);
}
